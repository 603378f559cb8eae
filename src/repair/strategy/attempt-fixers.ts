import type { AttemptContext } from '../../ports/attempt.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { runFixers } from '../fixers/run-fixers.ts';
import { AttemptLog } from './attempt-log.ts';
import { logFixes } from './log-fixes.ts';

const NOTHING = { tried: 0, edits: [] };
const STRATEGY = 'Fixers of the linter and the type checker, and nothing else.';

/** An attempt of the fixers alone: `eslint --fix` and the compiler's quick fixes, without a search. */
export async function attemptFixers(context: AttemptContext, timeoutMs: number): Promise<Trajectory> {
  const log = new AttemptLog();
  const fixed = logFixes(log, await runFixers(context, { timeoutMs }));
  const trajectory =
    fixed.length > 0
      ? log.end('edited', `The fixers fixed errors in ${fixed.join(', ')}.`, NOTHING)
      : log.end('gave_up', 'The fixers found nothing to fix.', NOTHING);
  return { ...trajectory, strategy: STRATEGY };
}
