import type { CiFix } from '../schema/generated.ts';
import type { Published } from './publish.ts';
import type { TryEnd } from './rules/ledger.ts';

/**
 * The end of the try as the ledger stores it: without a usable result the try has failed, unless its fix was confirmed and
 * only the push or the pull request was refused.
 */
export function tryEnd(
  fix: CiFix | undefined,
  {
    result,
    isPushed,
    isVerified,
  }: { readonly result: Published | undefined; readonly isPushed: boolean; readonly isVerified: boolean },
): TryEnd {
  if (fix === undefined)
    return { state: 'failed', reason: (result?.text ?? 'The result cannot be used.').slice(0, 500) };
  const { loop_id: loopId, usage } = fix.verdict;
  const refusedText = isPushed
    ? 'The fix was pushed, but its pull request could not be opened.'
    : 'The push failed.';
  return {
    state: result === undefined ? unpublished({ isPushed, isVerified }) : stateOf(result),
    // The memory of a failed try is stored too, so that a repetition must know it as its own.
    loop_id: loopId ?? undefined,
    cost_usd: usage.cost_usd ?? undefined,
    reason: (result?.text ?? refusedText).slice(0, 500),
  };
}

function unpublished({
  isPushed,
  isVerified,
}: {
  readonly isPushed: boolean;
  readonly isVerified: boolean;
}): TryEnd['state'] {
  if (isPushed) return 'unopened';
  return isVerified ? 'unpushed' : 'failed';
}

function stateOf({ published, verified, reason }: Published): TryEnd['state'] {
  if (published) return 'published';
  return verified && reason !== 'unconfirmed' ? 'withheld' : 'unverified';
}
