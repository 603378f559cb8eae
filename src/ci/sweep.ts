import type { RemoteDesk } from '../platform/git/remote.ts';
import { plural } from '../platform/text/plural.ts';
import type { CiLedger } from '../schema/generated.ts';
import type { GitHub } from './github/client.ts';
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
const MAX_EXAMINED = 200;

/**
 * Looks at every open pull request: one that has the label, or whose newest workflow runs failed, gets a run of the
 * workflow of its own, unless a rule is against it. Pull requests of forks and of ralph are left out, and those of bots
 * without the label. Returns one sentence on what was started; undefined if nothing was. Throws RalphError.
 */
export async function sweepPulls(place: SweepPlace, settings: CiSettings): Promise<string | undefined> {
  const { github, workflow } = place.remote;
  if (github === undefined || workflow === undefined) return undefined;
  const open = (await github.openPulls()).filter(
    ({ fork, branch, bot, labels }) =>
      !fork && !isOwnBranch(branch, settings) && (!bot || hasLabel(labels, settings.label)),
  );
  const started: number[] = [];
  for (const pull of open.slice(0, MAX_EXAMINED)) {
    if (started.length === MAX_STARTED) break;
    if (!(await isWanted(github, pull, settings))) continue;
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

async function isWanted(
  github: GitHub,
  { labels, head }: PullFacts,
  { label, workflow }: CiSettings,
): Promise<boolean> {
  return hasLabel(labels, label) || (await github.isFailing(head, workflow)) === true;
}

function requestFor({ branch, number: pull }: PullFacts): FixRequest {
  return {
    ...{ kind: 'fix', trigger: 'dispatch', branch, pull },
    ...{ head: undefined, task: undefined, login: undefined },
  };
}
