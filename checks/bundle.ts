import { buildProgram } from '#checks/build-program.ts';

/* node checks/bundle.ts: dist/fedhub.js, the program in one file. */
await buildProgram('dist/fedhub.js', 'info');
