import type { CiFix, CiLedger, CiTry } from '../../schema/generated.ts';
import type { ConfirmedTree } from '../confirmed-tree.ts';
import type { PullFacts } from '../github/event.ts';
import type { CiSettings } from '../settings.ts';
import { hasLabel } from './labels.ts';

/** State of GitHub, the remote and the ledger when a fix is about to be pushed. */
export interface PublishState {
  /** The claim that `ralph ci plan` wrote; undefined: the ledger has no try with that id. */
  readonly claim: CiTry | undefined;
  /** Result of the fix job; a string: the reason why it cannot be read. */
  readonly fix: CiFix | string;
  /** The tree that `ralph ci verify` confirmed; undefined: it confirmed none. */
  readonly tree: ConfirmedTree | undefined;
  /** Why it confirmed none; one sentence. */
  readonly why?: string | undefined;
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
  | 'unconfirmed'
  | 'branch_gone'
  | 'head_moved'
  | 'closed'
  | 'opted_out'
  | 'label_removed';

/** Begins the reason of a try whose result `ralph ci verify` did not confirm. */
const UNCONFIRMED = 'ralph ci verify did not confirm the result on another machine';

/** A failed try is open again when the failed jobs of its run are run again. */
const OPEN: ReadonlySet<CiTry['state']> = new Set(['running', 'unopened', 'unpushed', 'failed']);

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
  { claim, fix, tree, why, head, pulls }: PublishState,
  { label, optOutLabel }: Pick<CiSettings, 'label' | 'optOutLabel'>,
): PublishDecision {
  if (claim === undefined) return withhold('not_claimed', 'The ledger has no try with this id.');
  if (!OPEN.has(claim.state)) return withhold('settled', `The try ${claim.id} has already ended.`);
  if (typeof fix === 'string') return withhold('no_result', `There is no result: ${fix}.`);
  if (!belongsToTry(claim, fix))
    return withhold('other_try', `The result does not belong to the try ${claim.id}.`);
  const { verified, status, patch } = fix.verdict;
  if (!verified || !(status === 'passed' || status === 'nothing_to_do'))
    return withhold('not_verified', `The loop ended unverified (${status}).`);
  if (status !== 'passed' || patch === null)
    return withhold(
      'nothing_to_do',
      describeUnseen(claim.failed_jobs ?? []) ?? 'Every check passed before anything was changed.',
    );
  if (tree === undefined)
    return withhold('unconfirmed', `${UNCONFIRMED}${why === undefined ? '.' : `: ${why}`}`);
  if (head === undefined)
    return withhold('branch_gone', `The branch ${claim.branch} does not exist any more.`);
  if (head !== claim.head)
    return withhold(
      'head_moved',
      `${claim.branch} is now at ${head.slice(0, 10)}, not at ${claim.head.slice(0, 10)}.`,
    );
  const optedOut = pulls.find(({ open, labels }) => open && hasLabel(labels, optOutLabel));
  if (optedOut !== undefined)
    return withhold('opted_out', `Pull request #${optedOut.number} now has the label "${optOutLabel}".`);
  const requested = pulls.find(({ number }) => number === claim.pull);
  if (claim.pull !== undefined && requested?.open !== true)
    return withhold('closed', `Pull request #${claim.pull} is not open any more.`);
  if (claim.labelled === true && !hasLabel(requested?.labels ?? [], label))
    return withhold('label_removed', `Pull request #${claim.pull ?? 0} no longer has the label "${label}".`);
  return { kind: 'publish', claim, fix };
}

/** True if the result says that it is of this try; the job that wrote it can say anything. */
export function belongsToTry(
  { id, branch, head }: Pick<CiTry, 'id' | 'branch' | 'head'>,
  fix: CiFix,
): boolean {
  return fix.try_id === id && fix.branch === branch && fix.head === head;
}

/** Why the results of earlier tries at a commit were not confirmed, oldest first. */
export function unconfirmedBefore(ledger: CiLedger, branch: string, head: string): string[] {
  const begin = `${UNCONFIRMED}: `;
  return ledger.tries
    .filter((entry) => entry.branch === branch && entry.head === head && entry.state === 'unverified')
    .flatMap(({ reason = '' }) => (reason.startsWith(begin) ? [reason.slice(begin.length)] : []));
}

/** A sentence for a commit that is red in CI and green for ralph; undefined if no failed job of CI is known. */
export function describeUnseen(failed: readonly string[]): string | undefined {
  if (failed.length === 0) return undefined;
  return `CI is red (${failed.join(', ')}), but every check that ralph runs is green: it does not run what failed there. Add that command as a check.`;
}

function withhold(reason: WithholdReason, text: string): PublishDecision {
  return { kind: 'withhold', reason, text };
}
