import { refuseOldNode } from '#cli/node-version.ts';

/*
 * The program. Looks at Node's version before anything else is loaded: the libraries break on an old one in ways that say nothing.
 */
const refusal = refuseOldNode(process.version);
if (refusal !== undefined) {
  console.error(refusal);
  process.exit(2);
}
const [{ runProgram }, { run }] = await Promise.all([import('#cli/program.ts'), import('#cli/run.ts')]);
const exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  run,
});
// Connections that are kept alive must not hold the program back once everything is done.
process.exit(exitCode);
