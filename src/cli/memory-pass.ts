import { openMemory, type OpenMemory } from '../compose/memory.ts';
import { ExitCode } from '../errors.ts';
import type { PassResult } from '../memory/lessons/contract.ts';
import { confirmTrust } from './confirm-trust.ts';
import { oneLine, printWarning } from './messages.ts';
import { settingsFromOptions, type OutputOptions } from './options.ts';
import { printResult } from './output.ts';

/** Opens long-term memory of this repository with the settings of a command. Throws RalphError. */
export function openMemoryForCommand(options: OutputOptions): Promise<OpenMemory> {
  return openMemory({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    warn: printWarning,
    confirm: confirmTrust(),
  });
}

/**
 * Prints the result of a memory pass under a title. Sets exit code 5 if the answer of its model was unusable, 1 if the
 * answer was refused.
 */
export function printPass<Stats extends object>(
  options: OutputOptions,
  result: PassResult<Stats>,
  title: string,
): void {
  printResult(options, result, (chalk) => [
    `${chalk.bold(title)}: ${chalk.cyan(result.status)}, ${oneLine(result.reason)}`,
    ...Object.entries(result.stats).flatMap(([name, value]) =>
      value === 0 || (Array.isArray(value) && value.length === 0)
        ? []
        : [`  ${chalk.dim(name)} ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`],
    ),
  ]);
  if (result.status === 'fallback') process.exitCode = ExitCode.actor;
  if (result.status === 'rejected') process.exitCode = ExitCode.unverified;
}
