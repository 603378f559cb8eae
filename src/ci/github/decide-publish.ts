import type { CiFix, CiTry } from '../../schema/generated.ts';
import type { CiSettings } from './rules.ts';
import type { PullFacts } from './event.ts';

/** What is true when a fix is about to be pushed. */
export interface PublishState {
  /** The claim that `ralph ci plan` wrote; undefined: there is none of that id. */
  readonly claim: CiTry | undefined;
  /** What the fixing job left; a string says why it cannot be read. */
  readonly fix: CiFix | string;
  /** Commit of the branch now; undefined: it is gone. */
  readonly head: string | undefined;
  /** Open pull requests of the branch, and the one that it was asked for on. */
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

export type PublishDecision =
  | { readonly kind: 'publish'; readonly claim: CiTry; readonly fix: CiFix }
  | { readonly kind: 'withhold'; readonly reason: WithholdReason; readonly text: string };

/**
 * Whether a result may be pushed: it must belong to a claim that is still open, be verified, and be for what is there
 * and asked for now. What the fixing job says is only ever a reason against it. Pure.
 */
export function decidePublish(
  { claim, fix, head, pulls }: PublishState,
  { label, optOutLabel }: Pick<CiSettings, 'label' | 'optOutLabel'>,
): PublishDecision {
  if (claim === undefined) return withhold('not_claimed', 'No try of this id was claimed.');
  if (claim.state !== 'running') return withhold('settled', `The try ${claim.id} has ended already.`);
  if (typeof fix === 'string') return withhold('no_result', `There is no result: ${fix}.`);
  if (fix.try_id !== claim.id || fix.branch !== claim.branch || fix.head !== claim.head)
    return withhold('other_try', `The result is not of the try ${claim.id}.`);
  const { verified, status, patch } = fix.verdict;
  if (!verified) return withhold('not_verified', `The loop ended unverified (${status}).`);
  if (status !== 'passed' || patch === null)
    return withhold('nothing_to_do', 'Every check passed before anything was changed.');
  if (head === undefined) return withhold('branch_gone', `There is no branch ${claim.branch} any more.`);
  if (head !== claim.head)
    return withhold(
      'head_moved',
      `${claim.branch} is at ${head.slice(0, 10)} by now, not at ${claim.head.slice(0, 10)}.`,
    );
  const optedOut = pulls.find(({ open, labels }) => open && labels.includes(optOutLabel));
  if (optedOut !== undefined)
    return withhold('opted_out', `Pull request #${optedOut.number} has the label "${optOutLabel}" by now.`);
  const asked = pulls.find(({ number }) => number === claim.pull);
  if (claim.pull !== undefined && asked?.open !== true)
    return withhold('closed', `Pull request #${claim.pull} is not open any more.`);
  if (claim.labelled === true && asked?.labels.includes(label) !== true)
    return withhold('label_removed', `Pull request #${claim.pull ?? 0} no longer has the label "${label}".`);
  return { kind: 'publish', claim, fix };
}

function withhold(reason: WithholdReason, text: string): PublishDecision {
  return { kind: 'withhold', reason, text };
}
