import { CommanderError } from 'commander';
import { ExitCode, RalphError, messageOf, type ExitCode as Code } from '../errors.ts';
import { blankVerdict } from '../loop/verdict.ts';
import { refusedBySystem } from '../platform/files/durable-write.ts';
import { printable, printableJson } from '../platform/text/printable.ts';
import { redact, redactValue } from '../platform/redaction/redact.ts';
import { createProgram } from './program.ts';

/** The program: parses, runs, and turns whatever was thrown into one message and the right exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    // By itself `ralph` changes nothing: it says what it can do.
    await createProgram(argv).parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, argv);
  }
}

/** A reader that has seen enough (`ralph list | head`) is no fault, and ends no loop. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function report(error: unknown, argv: readonly string[]): Code {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.verified : ExitCode.usage;
  const known = error instanceof RalphError ? error : refusedBySystem(error);
  write(`ralph: ${messageOf(known ?? error)}`);
  if (known?.hint !== undefined) write(known.hint.replace(/^/gm, '  '));
  if (known === undefined) write('This is a fault in ralph itself; RALPH_DEBUG=1 shows where.');
  if (process.env.RALPH_DEBUG === '1' && error instanceof Error) write(error.stack ?? '');
  // One verdict in every case, also where no loop came to be.
  if (argv.includes('json') || argv.includes('--format=json')) {
    process.stdout.write(`${printableJson(redactValue(blankVerdict('error', messageOf(error))))}\n`);
  }
  return known?.exitCode ?? ExitCode.unverified;
}

function write(text: string): void {
  process.stderr.write(`${printable(redact(text))}\n`);
}
