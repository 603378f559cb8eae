import type { RemoteDesk } from '../platform/git/remote.ts';
import { plural } from '../platform/text/plural.ts';
import type { CiLedger } from '../schema/generated.ts';
import type { PullFacts } from './github/event.ts';
import { readState } from './read-state.ts';
import type { CiRemote } from './remote.ts';
import { decideRequest } from './rules/decide-plan.ts';
import { isOwnBranch, type FixRequest } from './rules/fix-request.ts';
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
/**
 * GitHub gives the token of Actions 1,000 requests an hour for the whole repository, so a sweep makes at most 300 of them:
 * ten for the list, one for each pull request, three more for each that may get a run, and one for the run.
 */
const MAX_EXAMINED = 100;
const MAX_WANTED = 50;

/**
 * Looks at every open pull request: one that has the label, or whose newest workflow runs failed, gets a run of the
 * workflow of its own, unless a rule is against it. Those with the label go first, then the newest. Pull requests of forks and of ralph are left out, and those of bots
 * without the label. Returns one sentence on what was started; undefined if nothing was. Throws RalphError.
 */
export async function sweepPulls(place: SweepPlace, settings: CiSettings): Promise<string | undefined> {
  const { github, workflow } = place.remote;
  if (github === undefined || workflow === undefined) return undefined;
  const open = (await github.openPulls()).filter(
    ({ fork, branch, bot, labels }) =>
      !fork && !isOwnBranch(branch, settings) && (!bot || hasLabel(labels, settings.label)),
  );
  const isLabelled = ({ labels }: PullFacts): boolean => hasLabel(labels, settings.label);
  const ordered = [...open.filter(isLabelled), ...open.filter((pull) => !isLabelled(pull))];
  const started: number[] = [];
  let wanted = 0;
  for (const pull of ordered.slice(0, MAX_EXAMINED)) {
    if (started.length === MAX_STARTED || wanted === MAX_WANTED) break;
    if (!isLabelled(pull) && (await github.isFailing(pull.head, settings.workflow)) !== true) continue;
    wanted++;
    const request = requestFor(pull);
    const decision = decideRequest(
      request,
      settings,
      await readState({ ...place, request }, settings, place),
    );
    if (decision.kind === 'skip') continue;
    await github.dispatch({ ...workflow, inputs: { branch: pull.branch, pull: String(pull.number) } });
    started.push(pull.number);
  }
  if (started.length === 0) return undefined;
  const numbers = started.map((number) => `#${number}`).join(', ');
  return `Started ${plural(started.length, 'run')} for the pull ${started.length === 1 ? 'request' : 'requests'} ${numbers}.`;
}

function requestFor({ branch, number: pull }: PullFacts): FixRequest {
  return {
    ...{ kind: 'fix', trigger: 'dispatch', branch, pull },
    ...{ head: undefined, task: undefined, login: undefined },
  };
}
