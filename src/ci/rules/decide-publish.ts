import type { CiFix, CiTry } from '../../schema/generated.ts';
import type { PullFacts } from '../github/event.ts';
import type { CiSettings } from '../settings.ts';

/** State of GitHub, the remote and the ledger when a fix is about to be pushed. */
export interface PublishState {
  /** The claim that `ralph ci plan` wrote; undefined: the ledger has no try with that id. */
  readonly claim: CiTry | undefined;
  /** Result of the fix job; a string: the reason why it cannot be read. */
  readonly fix: CiFix | string;
  /** Current commit of the branch; undefined: the branch is gone. */
  readonly head: string | undefined;
  /** Open pull requests of the branch, and the requested one in any state. */
  readonly pulls: readonly PullFacts[];
}

/** Rules by which a result is not pushed. */
export type WithholdReason =
  | 'not_claimed'
  | 'settled'
  | 'no_result'
  | 'other_try'
  | 'not_verified'
  | 'nothing_to_do'
  | 'branch_gone'
  | 'head_moved'
  | 'closed'
  | 'opted_out'
  | 'label_removed';

/** Result of `decidePublish`. */
export type PublishDecision =
  | { readonly kind: 'publish'; readonly claim: CiTry; readonly fix: CiFix }
  | { readonly kind: 'withhold'; readonly reason: WithholdReason; readonly text: string };

/**
 * Decides whether a result may be pushed: it must belong to a claim that is still open, be verified, and match the
 * current commit and the current request. The result comes from the job that ran untrusted code, so its contents can
 * only lead to a refusal. Pure.
 */
export function decidePublish(
  { claim, fix, head, pulls }: PublishState,
  { label, optOutLabel }: Pick<CiSettings, 'label' | 'optOutLabel'>,
): PublishDecision {
  if (claim === undefined) return withhold('not_claimed', 'The ledger has no try with this id.');
  if (claim.state !== 'running' && claim.state !== 'unopened')
    return withhold('settled', `The try ${claim.id} has already ended.`);
  if (typeof fix === 'string') return withhold('no_result', `There is no result: ${fix}.`);
  if (fix.try_id !== claim.id || fix.branch !== claim.branch || fix.head !== claim.head)
    return withhold('other_try', `The result does not belong to the try ${claim.id}.`);
  const { verified, status, patch } = fix.verdict;
  if (!verified) return withhold('not_verified', `The loop ended unverified (${status}).`);
  if (status !== 'passed' || patch === null)
    return withhold('nothing_to_do', 'Every check passed before anything was changed.');
  if (head === undefined)
    return withhold('branch_gone', `The branch ${claim.branch} does not exist any more.`);
  if (head !== claim.head)
    return withhold(
      'head_moved',
      `${claim.branch} is now at ${head.slice(0, 10)}, not at ${claim.head.slice(0, 10)}.`,
    );
  const optedOut = pulls.find(({ open, labels }) => open && labels.includes(optOutLabel));
  if (optedOut !== undefined)
    return withhold('opted_out', `Pull request #${optedOut.number} now has the label "${optOutLabel}".`);
  const requested = pulls.find(({ number }) => number === claim.pull);
  if (claim.pull !== undefined && requested?.open !== true)
    return withhold('closed', `Pull request #${claim.pull} is not open any more.`);
  if (claim.labelled === true && requested?.labels.includes(label) !== true)
    return withhold('label_removed', `Pull request #${claim.pull ?? 0} no longer has the label "${label}".`);
  return { kind: 'publish', claim, fix };
}

function withhold(reason: WithholdReason, text: string): PublishDecision {
  return { kind: 'withhold', reason, text };
}
