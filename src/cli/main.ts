import { ExitCode, RalphError, messageOf, type ExitCode as Code } from '../errors.ts';
import { verdictOf } from '../loop/failed-verdict.ts';
import { blankVerdict } from '../loop/verdict.ts';
import { refusedBySystem } from '../platform/files/file-errors.ts';
import { editDistance } from '../platform/text/edit-distance.ts';
import { printableJson } from '../platform/text/printable.ts';
import { redactValue } from '../platform/redaction/redact.ts';
import { printError } from './messages.ts';
import { hookOfCheck } from './hook-of-check.ts';
import { awaitRejections } from './late-rejections.ts';

const NOTHING_GIVEN = { flags: {}, isAllGreen: false, env: process.env };

/** Runs the command line, and turns every error into one message and an exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', reportUnwritten);
  // Nothing can be said where errors are printed.
  process.stderr.on('error', () => {});
  awaitRejections(sayError);
  try {
    const hook = hookOfCheck(argv);
    if (hook === undefined) await (await import('./run-program.ts')).runProgram(argv);
    else await (await import('./commands/gate-check-for-hook.ts')).gateCheckForHook(hook, NOTHING_GIVEN);
  } catch (error) {
    process.exitCode = reportError(error, argv);
  }
  // For the hooks of agents exit code 2 is an order to go on, and a mistake in their command is no fault of the agent.
  if (process.exitCode === ExitCode.usage && isHook(argv)) process.exitCode = ExitCode.unverified;
}

let isUnwritten = false;

/**
 * A reader that closes the pipe early, as in `ralph list | head`, or a closed terminal (EIO) does not end a loop by itself.
 * Any other failure, such as a full disk, is said once; a command that has succeeded ends with exit code 4.
 */
function reportUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO' || isUnwritten) return;
  isUnwritten = true;
  printError(`ralph: The output could not be written: ${error.message}`);
  printError('  Free space on the disk of the output, or write it elsewhere.');
  process.once('exit', () => {
    process.exitCode ||= ExitCode.workspace;
  });
}

/** The error for a current folder that was deleted, of which Node's own message says less; undefined for other errors. */
function folderGone(error: unknown): RalphError | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== 'uv_cwd') return undefined;
  const options = {
    code: 'no_repository',
    exitCode: ExitCode.workspace,
    hint: 'cd into the repository again.',
  } as const;
  return new RalphError('The current folder does not exist any more.', options);
}

/** Prints an error; returns its exit code. */
function sayError(error: unknown): Code {
  const known = error instanceof RalphError ? error : (refusedBySystem(error) ?? folderGone(error));
  printError(`ralph: ${messageOf(known ?? error)}`);
  if (known?.hint !== undefined) printError(known.hint.replace(/^/gm, '  '));
  if (known === undefined)
    printError('This is a fault in ralph itself; RALPH_DEBUG=1 prints the stack trace.');
  if (process.env.RALPH_DEBUG === '1' && error instanceof Error) printError(error.stack ?? '');
  return known?.exitCode ?? ExitCode.unverified;
}

function reportError(error: unknown, argv: readonly string[]): Code {
  const exitCode = sayError(error);
  // With JSON output there is always one verdict: with all that the loop knew, and even if none was started.
  if (argv.includes('json') || argv.includes('--format=json')) {
    const verdict = verdictOf(error) ?? blankVerdict('error', messageOf(error));
    process.stdout.write(`${printableJson(redactValue(verdict))}\n`);
  }
  return exitCode;
}

/** Also with a slip in the option or in the name of the command; `--hooks` of `ralph init` is another option. */
function isHook(argv: readonly string[]): boolean {
  const options = argv.map((word) => word.split('=')[0]!).filter((word) => word !== '--hooks');
  return (
    argv[0] !== 'init' && options.some((word) => word.startsWith('-') && editDistance(word, '--hook') < 2)
  );
}
