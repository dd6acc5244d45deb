import { Command } from 'commander';
import type { CommanderError } from 'commander';
import { ConfigError, UsageError } from '#cli/errors.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { TerminalError } from '#kube/errors.ts';

/** What the command line works with: where it writes for people, and what its commands start. */
export type Surroundings = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Runs the service and answers with the exit code. */
  run: (configFile: string) => Promise<number>;
};

/**
 * Runs the command that `args` name (without node and the script) and answers with the exit code.
 * What is wrong with the call or the configuration is written to `err`, one problem a line. Anything that is a fault of ours is thrown.
 */
export async function runProgram(args: string[], { out, err, run }: Surroundings): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = new Command('fedhub')
    .description('Keeps a federation hub holding exactly the copies that its projects and cells call for.')
    .exitOverride(refuse)
    .configureOutput({ writeOut: out, writeErr: out, outputError: () => undefined })
    .helpCommand(false)
    .action(() => refuse({ code: 'fedhub.noCommand', exitCode: EXIT.usage, message: 'error: no command' }));
  program
    .command('run')
    .description('publish, follow and withdraw until told to stop')
    .requiredOption('--config <file>', 'the HubConfig file; cells and projects are added and taken out when it changes')
    .addHelpText('after', '\nExit codes: 0 stopped in order, 1 failed or cut off, 2 called or configured wrongly.')
    .action(async ({ config }: { config: string }) => {
      exitCode = await run(config);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, err);
  }
}

/** Takes the place of commander's exit. Help that was asked for ends that way too, with exit code 0. */
function refuse({ code, exitCode, message }: Pick<CommanderError, 'code' | 'exitCode' | 'message'>): never {
  throw exitCode === 0 ? new HelpShown() : new UsageError(code, message);
}

class HelpShown extends Error {}

function explain(error: unknown, err: Surroundings['err']): number {
  if (error instanceof HelpShown) return EXIT.ok;
  if (error instanceof UsageError) err(`${error.message}\nfedhub --help lists the commands\n`);
  else if (error instanceof ConfigError || error instanceof TerminalError) err(`${error.message}\n`);
  else throw error instanceof Error ? error : new Error('Fault', { cause: error });
  return error instanceof TerminalError ? EXIT.failure : EXIT.usage;
}
