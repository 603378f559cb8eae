import { plural } from '../../platform/text/plural.ts';
import type { CiLedger, CiTrigger } from '../../schema/generated.ts';
import type { CiEvent, PullFacts } from '../github/event.ts';
import type { CiSettings } from '../settings.ts';
import { isOwnBranch, parseFixRequest, type FixRequest } from './fix-request.ts';
import { resolveRetry } from './retry.ts';
import { pushedFor, runningTry, spentUsd, triesAt, unpushedTry } from './ledger.ts';
import { skip, type Skip } from './skip.ts';
import { hasLabel } from './labels.ts';

/** State of GitHub, the remote and the ledger when the plan is made; an event can be older. */
export interface CiState {
  readonly now: Date;
  readonly ledger: CiLedger;
  /** Commit of the requested branch; undefined: the branch is gone. */
  readonly head: string | undefined;
  /** There is no such branch, but a tag of its name, as a workflow run for a tag has it. */
  readonly isTag: boolean;
  /** Open pull requests of the branch, and the requested one in any state. */
  readonly pulls: readonly PullFacts[];
  /** Permission of the comment's author: `admin`, `maintain`, `write`, `triage`, `read`, `none`. */
  readonly permission: string | undefined;
  /** Commit of the branch that holds the last fix for the requested branch; undefined: there is no such branch. */
  readonly fixTip: string | undefined;
  /** The pull request with the last fix for the branch was closed without being merged. */
  readonly rejected: boolean;
  /** False: the newest run of every workflow at the commit passed. Undefined: not known, or not asked. */
  readonly failing: boolean | undefined;
}

/** The decision to try a fix. */
export interface Run {
  readonly kind: 'run';
  readonly trigger: CiTrigger;
  readonly branch: string;
  readonly head: string;
  readonly pull: number | undefined;
  readonly task: string | undefined;
  /** The pull request has the label for which the try is made: removing the label cancels it. */
  readonly labelled: boolean;
  /** Id of the failed workflow run. */
  readonly run: number | undefined;
  /** Number of the try at this commit, 1-based. */
  readonly number: number;
}

/** Result of `decidePlan`. */
export type PlanDecision = Run | Skip;

const WRITING: ReadonlySet<string> = new Set(['admin', 'write']);

/** Decides whether an event gets a try: first by its payload, then by the current state. Pure. */
export function decidePlan(event: CiEvent, settings: CiSettings, state: CiState): PlanDecision {
  const request = parseFixRequest(event, settings);
  return request.kind === 'skip' ? request : decideRequest(request, settings, state);
}

/** Decides on a request by the current state. Pure. */
export function decideRequest(given: FixRequest, settings: CiSettings, state: CiState): PlanDecision {
  const request = resolveRetry(given, state.ledger);
  if (request.kind === 'skip') return request;
  const pull = state.pulls.find(({ number }) => number === request.pull);
  const refused = checkPull(request, settings, { pull, permission: state.permission });
  if (refused !== undefined) return refused;
  const branch = request.branch ?? pull?.branch ?? '';
  const { head } = state;
  if (state.isTag) return skip('no_branch', `${branch} is a tag, not a branch.`);
  if (head === undefined) return skip('branch_gone', `The branch ${branch} does not exist any more.`);
  if (request.head !== undefined && request.head !== head)
    return skip(
      'head_moved',
      `${branch} is now at ${head.slice(0, 10)}, not at ${request.head.slice(0, 10)}.`,
    );
  const { trigger } = request;
  if (trigger === 'workflow_run' && state.pulls.some(({ open, bot }) => open && bot))
    return skip('bot_branch', `A bot opened the pull request of ${branch}.`);
  if (trigger === 'schedule' && state.failing === false)
    return skip('not_failing', `Every workflow passed on ${branch} at ${head.slice(0, 10)}.`);
  const optedOut = state.pulls.find(({ open, labels }) => open && hasLabel(labels, settings.optOutLabel));
  if (optedOut !== undefined)
    return skip('opted_out', `Pull request #${optedOut.number} has the label "${settings.optOutLabel}".`);
  return (
    checkLedger({ branch, head, task: request.task }, settings, state) ?? {
      kind: 'run',
      trigger,
      branch,
      head,
      pull: request.pull,
      task: request.task,
      labelled:
        trigger === 'label' || (trigger === 'dispatch' && hasLabel(pull?.labels ?? [], settings.label)),
      run: request.run,
      number: triesAt(state.ledger, branch, head) + 1,
    }
  );
}

/** The rules about the requested pull request and the permission of the comment's author. */
function checkPull(
  { pull: number, trigger, login, retry }: FixRequest,
  settings: CiSettings,
  { pull, permission }: { readonly pull: PullFacts | undefined; readonly permission: string | undefined },
): Skip | undefined {
  if (number === undefined) return undefined;
  if (pull?.open !== true) return skip('closed', `Pull request #${number} is not open.`);
  if (pull.fork) return skip('fork', `Pull request #${number} is from a fork.`);
  if (isOwnBranch(pull.branch, settings))
    return skip('own_branch', `Pull request #${number} was opened by ralph.`);
  if (trigger === 'label' && !hasLabel(pull.labels, settings.label))
    return skip('label_removed', `Pull request #${number} no longer has the label "${settings.label}".`);
  if (trigger === 'comment' && retry === undefined && !WRITING.has(permission ?? 'none'))
    return skip(
      'no_permission',
      `${login ?? 'The author'} (${permission ?? 'none'}) may not write to this repository.`,
    );
  return undefined;
}

/** The rules about earlier tries and their cost. */
function checkLedger(
  {
    branch,
    head,
    task,
  }: { readonly branch: string; readonly head: string; readonly task: string | undefined },
  settings: CiSettings,
  { ledger, now, rejected, fixTip }: CiState,
): Skip | undefined {
  const { maxTries, lockMs, maxCostUsd = 0, maxCostPerDayUsd, maxCostPerMonthUsd } = settings;
  const running = runningTry(ledger, { branch, now, lockMs });
  if (running !== undefined) return skip('locked', `The try ${running.id} is still running on ${branch}.`);
  const pushed = pushedFor(ledger, branch);
  if (fixTip !== undefined && fixTip !== head && fixTip !== pushed?.tip)
    return skip(
      'branch_edited',
      `${settings.branchPrefix}${branch} holds commits that ralph did not make. Merge or delete it.`,
    );
  const tries = triesAt(ledger, branch, head);
  if (tries >= maxTries)
    return skip(
      'tries_used',
      `${branch} at ${head.slice(0, 10)} has had ${plural(tries, 'try', 'tries')}; the limit is ${maxTries}.`,
    );
  if (rejected && pushed?.head === head)
    return skip('rejected', `The fix of ${branch} at ${head.slice(0, 10)} was closed without being merged.`);
  if (task === undefined && pushed?.head === head && fixTip === pushed.tip)
    return skip(
      'fixed',
      `${settings.branchPrefix}${branch} holds a verified fix of ${head.slice(0, 10)}${pushed.pull === undefined ? '' : `, see pull request #${pushed.pull}`}.`,
    );
  const unpushed = unpushedTry(ledger, { branch, head, now });
  if (task === undefined && unpushed !== undefined)
    return skip(
      'unpushed',
      `The verified fix of try ${unpushed.id} could not be pushed. Run its job publish again when the push is allowed.`,
    );
  const spent = spentUsd(ledger, now);
  if (maxCostPerDayUsd !== undefined && spent.day + maxCostUsd > maxCostPerDayUsd)
    return skip('budget_day', renderBudget('today', spent.day, { maxCostUsd, limit: maxCostPerDayUsd }));
  if (maxCostPerMonthUsd !== undefined && spent.month + maxCostUsd > maxCostPerMonthUsd)
    return skip(
      'budget_month',
      renderBudget('this month', spent.month, { maxCostUsd, limit: maxCostPerMonthUsd }),
    );
  return undefined;
}

function renderBudget(
  period: string,
  spentUsd: number,
  { maxCostUsd, limit }: { readonly maxCostUsd: number; readonly limit: number },
): string {
  const [spent, next, most] = [spentUsd, maxCostUsd, limit].map((usd) => `${usd.toFixed(2)} USD`);
  return `Another try may cost ${next}, and ${spent} of ${most} are spent ${period}.`;
}
