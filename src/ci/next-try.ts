import { messageOf } from '../errors.ts';
import type { CiLedger } from '../schema/generated.ts';
import type { CiRemote } from './remote.ts';
import { startsAnother, triesLeft } from './rules/retry.ts';

/**
 * Starts the next try after one that ended unverified, while tries are left: a run of the same workflow that names the
 * try, whose branch, task and reflections it takes over. Returns one sentence; undefined if there is none to start.
 * Never rejects: without the permission `actions: write` the next event tries again.
 */
export async function startNextTry(
  { github, workflow }: CiRemote,
  ledger: CiLedger,
  id: string,
): Promise<string | undefined> {
  const ended = ledger.tries.find((entry) => entry.id === id);
  if (github === undefined || workflow === undefined || ended === undefined) return undefined;
  if (!startsAnother(ledger, id)) return undefined;
  const left = triesLeft(ledger, id);
  try {
    await github.dispatch({ ...workflow, inputs: { branch: ended.branch, retry: id } });
    return `The next try is started; ${left - 1} more ${left === 2 ? 'is' : 'are'} left.`;
  } catch (error) {
    return `The next try could not be started, which needs actions: write: ${messageOf(error)}`;
  }
}
