import { CommanderError } from 'commander';
import { ExitCode } from '../errors.ts';
import { createProgram } from './program.ts';

/** Parses the command line and runs its command. Prints help and errors of usage itself; rejects with every other error. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  try {
    // Without arguments `ralph` must change nothing, although `run` is the default command.
    await createProgram(argv).parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? ExitCode.verified : ExitCode.usage;
  }
}
