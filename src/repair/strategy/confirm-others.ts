import { plural } from '../../platform/text/plural.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import type { Candidate } from '../syntax/edit.ts';
import { tryCold, type ColdVerdict } from '../trial/cold-trial.ts';
import { ruleOutNearest, type BoundedSearch, type GroupSearch } from './group-search.ts';

/** Most edits that are run against the whole check only to be listed. */
const MOST_RUN = 20;
/** So few edits are run against the type checker and the linter as well, to leave the one that these accept. */
const FEW = 4;
const TIMEOUT_MS = 60_000;

/** The edits of a list that were run against the whole check. */
interface WholeRuns {
  /** Those that break no test, in their order. */
  readonly sound: readonly Claim[];
  /** True if every edit was run. */
  readonly isComplete: boolean;
}

/**
 * Runs claims against the whole check, best first, until the time is over. Those that break a test are ruled out; those with
 * new errors of types or of the linter are left out, unless all have some.
 */
export async function runWhole(search: BoundedSearch, claims: readonly Claim[]): Promise<WholeRuns> {
  const { bounds, context, sound: known } = search;
  const otherChecks = claims.length > 1 && claims.length <= FEW;
  const sound: Claim[] = [];
  for (const [index, claim] of claims.entries()) {
    const isOver = context.signal.aborted || performance.now() > bounds.deadline || index >= MOST_RUN;
    if (isOver) return { sound, isComplete: false };
    if (known.has(claim.candidate) || (await isSound(search, claim, otherChecks))) sound.push(claim);
  }
  const clean = sound.filter(({ candidate }) => !search.spoiling.has(candidate));
  return { sound: clean.length > 0 ? clean : sound, isComplete: true };
}

async function isSound(search: GroupSearch, { candidate }: Claim, otherChecks: boolean): Promise<boolean> {
  const { fixed, broken, spoiledChecks } = await runAgainstAll(search, candidate, otherChecks);
  if (spoiledChecks.length > 0) search.spoiling.add(candidate);
  if (search.context.signal.aborted) return false;
  if (fixed.length > 0 && broken.length === 0) {
    search.sound.add(candidate);
    return true;
  }
  const effect = `fixes ${plural(fixed.length, 'test')} and breaks ${broken.length}`;
  ruleOutNearest(search, candidate, effect);
  return false;
}

function runAgainstAll(
  { context, group }: GroupSearch,
  candidate: Candidate,
  otherChecks = false,
): Promise<ColdVerdict> {
  return tryCold(context, candidate, {
    check: group.check,
    before: context.evaluation.tests,
    timeoutMs: TIMEOUT_MS,
    otherChecks,
  });
}

/** Time for the alternatives of an accepted edit. */
const ALTERNATIVES_MS = 5000;

/** Those of some edits that fix, in a run of the whole check, the tests that an accepted edit fixes, and break none. */
export async function withSameResults(
  search: GroupSearch,
  accepted: ColdVerdict,
  others: readonly Candidate[],
): Promise<Candidate[]> {
  const deadline = performance.now() + ALTERNATIVES_MS;
  const same: Candidate[] = [];
  for (const candidate of others.slice(0, MOST_RUN)) {
    if (search.context.signal.aborted || performance.now() > deadline) break;
    const { fixed, broken } = await runAgainstAll(search, candidate);
    const isSame = broken.length === 0 && accepted.fixed.every((id) => fixed.includes(id));
    if (isSame) same.push(candidate);
  }
  return same;
}
