import { messageOf } from '../errors.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { plural } from '../platform/text/plural.ts';
import type { CiLedger } from '../schema/generated.ts';
import type { PullFacts } from './github/event.ts';
import { readState } from './read-state.ts';
import type { CiRemote } from './remote.ts';
import { decideRequest } from './rules/decide-plan.ts';
import { isBotBranch, isOwnBranch, type FixRequest } from './rules/fix-request.ts';
import type { CiSettings } from './settings.ts';
import { hasLabel } from './rules/labels.ts';

/** Where the pull requests of a sweep are read. */
export interface SweepPlace {
  readonly remote: CiRemote;
  readonly desk: RemoteDesk;
  readonly ledger: CiLedger;
  readonly now: Date;
}

/** Bounds what one night can spend, beside the budgets. */
const MAX_STARTED = 10;
/** More than these fail for one cause, such as a missing permission. */
const MAX_FAILED = 3;
/**
 * GitHub gives the token of Actions 1,000 requests an hour for the whole repository, so a sweep makes at most 300 of them:
 * ten for the list, one for each pull request, three more for each that may get a run, and one for the run.
 */
const MAX_EXAMINED = 100;
const MAX_WANTED = 50;

/**
 * Looks at every open pull request: one that has the label, or whose newest workflow runs failed, gets a run of the
 * workflow of its own, unless a rule is against it. Those with the label go first, then the newest. Pull requests of forks and of ralph are left out, and those of bots
 * without the label. A run that GitHub refuses does not end the sweep. Returns sentences on what was started and what was refused; undefined if nothing was.
 * Throws RalphError.
 */
export async function sweepPulls(place: SweepPlace, settings: CiSettings): Promise<string | undefined> {
  const { github, workflow } = place.remote;
  if (github === undefined || workflow === undefined) return undefined;
  const open = (await github.openPulls()).filter(
    ({ fork, branch, bot, labels }) =>
      !fork &&
      !isOwnBranch(branch, settings) &&
      ((!bot && !isBotBranch(branch)) || hasLabel(labels, settings.label)),
  );
  const isLabelled = ({ labels }: PullFacts): boolean => hasLabel(labels, settings.label);
  const ordered = [...open.filter(isLabelled), ...open.filter((pull) => !isLabelled(pull))];
  const started = new Map<string, number>();
  const failed: string[] = [];
  let wanted = 0;
  for (const pull of ordered.slice(0, MAX_EXAMINED)) {
    if (started.size === MAX_STARTED || wanted === MAX_WANTED || failed.length === MAX_FAILED) break;
    // Another pull request of the same branch would get the same try.
    if (started.has(pull.branch)) continue;
    if (!isLabelled(pull) && (await github.isFailing(pull.head, settings.workflow)) !== true) continue;
    wanted++;
    const request = requestFor(pull);
    const decision = decideRequest(
      request,
      settings,
      await readState({ ...place, request }, settings, place),
    );
    if (decision.kind === 'skip') continue;
    try {
      await github.dispatch({ ...workflow, inputs: { branch: pull.branch, pull: String(pull.number) } });
      started.set(pull.branch, pull.number);
    } catch (error) {
      failed.push(`No run for #${pull.number}: ${messageOf(error)}`);
    }
  }
  const numbers = [...started.values()].map((number) => `#${number}`).join(', ');
  const sentence = `Started ${plural(started.size, 'run')} for the pull ${started.size === 1 ? 'request' : 'requests'} ${numbers}.`;
  return [...(started.size === 0 ? [] : [sentence]), ...failed].join(' ') || undefined;
}

function requestFor({ branch, number: pull }: PullFacts): FixRequest {
  return {
    ...{ kind: 'fix', trigger: 'dispatch', branch, pull },
    ...{ head: undefined, task: undefined, login: undefined },
  };
}
