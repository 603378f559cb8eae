import type { CiLedger } from '../../schema/generated.ts';
import type { FixRequest } from './fix-request.ts';
import { triesAt } from './ledger.ts';
import { skip, type Skip } from './skip.ts';

/**
 * Fills in a request that names an earlier try: branch, commit, pull request and task are those of that try, whose own
 * request was examined then. Any other request is returned as it is. Pure.
 */
export function resolveRetry(request: FixRequest, ledger: CiLedger): FixRequest | Skip {
  const { retry } = request;
  if (retry === undefined) return request;
  const earlier = ledger.tries.find(({ id }) => id === retry);
  if (earlier?.state !== 'unverified')
    return skip('unknown_try', `The ledger has no try ${retry} that ended unverified.`);
  const { branch, head, pull, task, trigger } = earlier;
  return { kind: 'fix', trigger, branch, head, pull, task, login: undefined, retry };
}

/** Number of tries that an event may still start for the commit of a try. */
export function triesLeft(ledger: CiLedger, id: string): number {
  const ended = ledger.tries.find((entry) => entry.id === id);
  if (ended?.max_tries === undefined) return 0;
  return Math.max(0, ended.max_tries - triesAt(ledger, ended.branch, ended.head));
}

/**
 * Whether ralph itself starts a try after this one: only if this one ended unverified. After an error of the job another
 * try would end the same way.
 */
export function startsAnother(ledger: CiLedger, id: string): boolean {
  const ended = ledger.tries.find((entry) => entry.id === id);
  return ended?.state === 'unverified' && triesLeft(ledger, id) > 0;
}
