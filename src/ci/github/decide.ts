import type { CiLedger, CiTrigger } from '../../schema/generated.ts';
import type { CiEvent, PullFacts } from './event.ts';
import { pushedFor, runningTry, spentUsd, triesAt } from './ledger.ts';
import { skip, type CiSettings, type Skip } from './rules.ts';
import { isOwnBranch, targetOf, type Target } from './target.ts';

/** What is true now, beside what the event says of when it happened. */
export interface CiState {
  readonly now: Date;
  readonly ledger: CiLedger;
  /** Commit of the target's branch; undefined: the branch is gone. */
  readonly head: string | undefined;
  /** Open pull requests of the branch, and the one that the event is about, whatever its state. */
  readonly pulls: readonly PullFacts[];
  /** Of who commented: `admin`, `maintain`, `write`, `triage`, `read`, `none`. */
  readonly permission: string | undefined;
  /** The pull request with the last fix for the branch was closed and not merged. */
  readonly rejected: boolean;
}

export interface Run {
  readonly kind: 'run';
  readonly trigger: CiTrigger;
  readonly branch: string;
  readonly head: string;
  readonly pull: number | undefined;
  readonly task: string | undefined;
  /** The how many-th at this commit, from 1. */
  readonly number: number;
}

export type Decision = Run | Skip;

const WRITING: ReadonlySet<string> = new Set(['admin', 'maintain', 'write']);

/**
 * What to do for an event: pure, so that every row of it is tested. First what the payload alone says, then what is
 * true now.
 */
export function decide(event: CiEvent, settings: CiSettings, state: CiState): Decision {
  const target = targetOf(event, settings);
  return target.kind === 'skip' ? target : decideTarget(target, settings, state);
}

/** The rules about what is true now. */
function decideTarget(target: Target, settings: CiSettings, state: CiState): Decision {
  const asked = state.pulls.find(({ number }) => number === target.pull);
  const refused = refuseAsked(target, settings, { asked, permission: state.permission });
  if (refused !== undefined) return refused;
  const branch = target.branch ?? asked?.branch ?? '';
  const { head } = state;
  if (head === undefined) return skip('branch_gone', `There is no branch ${branch} any more.`);
  if (target.head !== undefined && target.head !== head)
    return skip(
      'head_moved',
      `${branch} is at ${head.slice(0, 10)} by now, not at ${target.head.slice(0, 10)}.`,
    );
  const optedOut = state.pulls.find(({ open, labels }) => open && labels.includes(settings.optOutLabel));
  if (optedOut !== undefined)
    return skip('opted_out', `Pull request #${optedOut.number} has the label "${settings.optOutLabel}".`);
  return (
    refuseByLedger({ branch, head }, settings, state) ?? {
      kind: 'run',
      trigger: target.trigger,
      branch,
      head,
      pull: target.pull,
      task: target.task,
      number: triesAt(state.ledger, branch, head) + 1,
    }
  );
}

/** The rules about the pull request that it was asked for on, and about who asked. */
function refuseAsked(
  { pull, trigger, login }: Target,
  settings: CiSettings,
  { asked, permission }: { readonly asked: PullFacts | undefined; readonly permission: string | undefined },
): Skip | undefined {
  if (pull === undefined) return undefined;
  if (asked?.open !== true) return skip('closed', `Pull request #${pull} is not open.`);
  if (asked.fork) return skip('fork', `Pull request #${pull} is from a fork.`);
  if (isOwnBranch(asked.branch, settings)) return skip('own_branch', `Pull request #${pull} is ralph's own.`);
  if (trigger === 'label' && !asked.labels.includes(settings.label))
    return skip('label_removed', `Pull request #${pull} no longer has the label "${settings.label}".`);
  if (trigger === 'comment' && !WRITING.has(permission ?? 'none'))
    return skip(
      'no_permission',
      `${login ?? 'Somebody'} (${permission ?? 'none'}) may not write to this repository.`,
    );
  return undefined;
}

/** The rules about what was tried and spent. */
function refuseByLedger(
  { branch, head }: { readonly branch: string; readonly head: string },
  settings: CiSettings,
  { ledger, now, rejected }: CiState,
): Skip | undefined {
  const { maxTries, lockMs, maxCostUsd = 0, maxCostPerDayUsd, maxCostPerMonthUsd } = settings;
  const running = runningTry(ledger, { branch, now, lockMs });
  if (running !== undefined) return skip('locked', `The try ${running.id} works on ${branch} already.`);
  const tries = triesAt(ledger, branch, head);
  if (tries >= maxTries)
    return skip(
      'tries_used',
      `${branch} was tried ${tries} times at ${head.slice(0, 10)}; ${maxTries} at most.`,
    );
  if (rejected && pushedFor(ledger, branch)?.head === head)
    return skip('rejected', `The fix of ${branch} at ${head.slice(0, 10)} was closed without being merged.`);
  const spent = spentUsd(ledger, now);
  if (maxCostPerDayUsd !== undefined && spent.day + maxCostUsd > maxCostPerDayUsd)
    return skip('budget_day', budgetText('today', spent.day, { maxCostUsd, limit: maxCostPerDayUsd }));
  if (maxCostPerMonthUsd !== undefined && spent.month + maxCostUsd > maxCostPerMonthUsd)
    return skip(
      'budget_month',
      budgetText('this month', spent.month, { maxCostUsd, limit: maxCostPerMonthUsd }),
    );
  return undefined;
}

function budgetText(
  when: string,
  spent: number,
  { maxCostUsd, limit }: { readonly maxCostUsd: number; readonly limit: number },
): string {
  const [was, may, most] = [spent, maxCostUsd, limit].map((usd) => `${usd.toFixed(2)} USD`);
  return `Another try may cost ${may}, and ${was} of ${most} are spent ${when}.`;
}
