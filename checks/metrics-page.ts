import { Registry } from '@prometheus-io/client';
import { createConfigMetrics } from '#cli/config-metrics.ts';
import { createMirrorMetrics } from '#mirror/metrics.ts';
import { createReportCounter } from '#policies/report-counter.ts';
import { registerConditionGauge } from '#writeback/condition-gauge.ts';

/** The reference page of the metrics, made by registering them as the program does. */
export function writeMetricsPage(): string {
  const registry = new Registry();
  createConfigMetrics(registry);
  createMirrorMetrics(registry);
  createReportCounter(registry);
  registerConditionGauge(registry, () => []);
  const metrics = registry.getMetricsAsArray().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `# Metrics

Served at \`/metrics\`, beside those of Node itself (\`process_…\`, \`nodejs_…\`). \`plane\` is the name of a
cell or a project; its series go when it leaves the configuration.

| Name | Type | Labels | Meaning |
| --- | --- | --- | --- |
${metrics.map((metric) => `| \`${metric.name}\` | ${metric.type} | ${labelsOf(metric)} | ${metric.help} |`).join('\n')}

Made from \`cli/config-metrics.ts\`, \`mirror/metrics.ts\`, \`policies/report-counter.ts\` and \`writeback/condition-gauge.ts\` by \`make generate\`.
`;
}

/** The library keeps a metric's label names, and leaves them out of its types. */
function labelsOf(metric: object): string {
  const names: unknown = Object.getOwnPropertyDescriptor(metric, 'labelNames')?.value;
  return Array.isArray(names) ? names.map((name) => `\`${name}\``).join(', ') : '';
}
