import type { AttemptContext } from '../../ports.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { AttemptLog } from '../strategy/attempt-log.ts';
import { runFixers } from './run-fixers.ts';

const NOTHING = { tried: 0, edits: [] };
const STRATEGY = 'Fixers of the linter and the type checker, and nothing else.';

/** What `eslint --fix` and the compiler's quick fixes can mend, and nothing else. */
export async function attemptFixers(context: AttemptContext, timeoutMs: number): Promise<Trajectory> {
  const log = new AttemptLog();
  const mended = await runFixers(context, log, { timeoutMs });
  const trajectory =
    mended.length > 0
      ? log.end('edited', `The fixers mended ${mended.join(', ')}.`, NOTHING)
      : log.end('gave_up', 'The fixers had nothing to mend.', NOTHING);
  return { ...trajectory, strategy: STRATEGY };
}
