import { plural } from '../../platform/text/plural.ts';
import type { FixerRun } from '../fixers/run-fixers.ts';
import type { AttemptLog } from './attempt-log.ts';

/** Adds the results of the fixers to the log. Returns the files that they changed, relative to the root, each once. */
export function logFixes(log: AttemptLog, runs: readonly FixerRun[]): string[] {
  for (const { check, result } of runs) {
    const { changed, actions, errorsFixed, reason } = result;
    for (const { description, file, command } of actions) {
      const type = command === undefined ? 'code_modification' : 'command_execution';
      log.addAction({ type, description, file_path: file, command });
    }
    if (changed.length > 0)
      log.addReason(`Fixers fixed ${plural(errorsFixed, 'error')} of ${check} in ${changed.join(', ')}.`);
    else if (reason !== undefined) log.addReason(`Fixers of ${check}: ${reason}`);
  }
  return [...new Set(runs.flatMap(({ result }) => result.changed))];
}
