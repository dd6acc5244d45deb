import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { GENERATED_PAGES } from '#checks/generated-pages.ts';

/* node checks/generate.ts: writes every generated page anew. */
for (const { file, write } of GENERATED_PAGES) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, write());
  console.log(file);
}
