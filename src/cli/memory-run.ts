import { openMemory, type OpenMemory } from '../compose/memory.ts';
import { ExitCode } from '../errors.ts';
import type { PassResult } from '../memory/lessons/contract.ts';
import { printable } from '../platform/text/printable.ts';
import { configOf, type OutputOptions } from './options.ts';
import { printResult } from './output.ts';

/** Opens long-term memory for a command. Throws RalphError. */
export function openForCommand(options: OutputOptions): Promise<OpenMemory> {
  return openMemory({ cwd: process.cwd(), flags: configOf({ ...options }), env: process.env, warn: note });
}

/**
 * Prints what a pass came to. Exit 5 where its model gave nothing that could be used, 1 where what it gave was
 * refused.
 */
export function printPass<Stats extends object>(
  options: OutputOptions,
  result: PassResult<Stats>,
  what: string,
): void {
  printResult(options, result, (chalk) => [
    `${chalk.bold(what)}: ${chalk.cyan(result.status)}, ${oneLine(result.reason)}`,
    ...Object.entries(result.stats).flatMap(([name, value]) =>
      value === 0 || (Array.isArray(value) && value.length === 0)
        ? []
        : [`  ${chalk.dim(name)} ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`],
    ),
  ]);
  if (result.status === 'fallback') process.exitCode = ExitCode.actor;
  if (result.status === 'rejected') process.exitCode = ExitCode.unverified;
}

/** Text from what is stored as one safe line. */
export function oneLine(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}

/** For the user, beside what is printed. */
export function note(text: string): void {
  process.stderr.write(`ralph: ${oneLine(text)}\n`);
}
