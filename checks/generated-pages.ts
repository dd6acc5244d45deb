import { writeConfigurationPage } from '#checks/configuration-page.ts';
import { writeMetricsPage } from '#checks/metrics-page.ts';
import { writeNamesPage } from '#checks/names-page.ts';

/** Every page that is made from code: its file, and what makes its text. */
export const GENERATED_PAGES: readonly { file: string; write: () => string }[] = [
  { file: 'docs/reference/configuration.md', write: writeConfigurationPage },
  { file: 'docs/reference/metrics.md', write: writeMetricsPage },
  { file: 'docs/reference/names.md', write: writeNamesPage },
];
