import type { AttemptContext } from '../../ports.ts';
import type { AttemptLog } from './attempt-log.ts';
import { separateCauses } from '../localise/causes.ts';
import { favourFor, type ReadExperience } from './experience.ts';
import { environmentProblem, failureGroups } from '../localise/failures.ts';
import type { ReadRecentChanges, RecentChanges } from '../localise/recent-changes.ts';
import { hasPartial, openGroupSearch, STAGES, type GroupSearch, type Stage } from './search-group.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import { runTraced } from '../trial/trace-run.ts';

export interface FailureSearch {
  /** Edits tried in the attempt, the earlier ones included. */
  readonly maxCandidates: number;
  /** `performance.now()` at which nothing further is started. */
  readonly deadline: number;
  /** What earlier attempts ruled out, each with its scope. */
  readonly known: ReadonlySet<string>;
  readonly readRecentChanges?: ReadRecentChanges;
  readonly readExperience?: ReadExperience;
}

/** A confirmed edit, not applied, and the file of the tests that it was found for. */
export type Found = ColdVerdict & { readonly testFile: string };

export interface FailureSearchResult {
  readonly found?: Found;
  /** Sentences about failures that were not searched for, and files that were not searched. */
  readonly notes: readonly string[];
}

/** Share of the time left that pairs may take where something is known that mends a part. */
const PAIRS_SHARE = 0.7;
/** For an edit that mends a part when the time is over: a step is worth more than none. */
const GRACE_MS = 10_000;

/**
 * Searches for one edit that mends failing tests: every group's and cause's quick stage first, so that one that
 * is hard or slow to try does not stand before the others. Where nothing mends a group, what mends a part of it and
 * breaks nothing is taken, also when the time is over.
 */
export async function searchFailures(
  context: AttemptContext,
  log: AttemptLog,
  search: FailureSearch,
): Promise<FailureSearchResult> {
  const { maxCandidates, deadline } = search;
  const isOver = (): boolean =>
    context.signal.aborted || performance.now() > deadline || log.tried >= maxCandidates;
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    log.reason(text);
  };
  const groups = failureGroups(context);
  if (groups.length === 0) note('No test fails, so there is nothing that a search could aim at.');
  const recent: RecentChanges =
    groups.length === 0 ? new Map() : ((await search.readRecentChanges?.()) ?? new Map());
  const experience = groups.length === 0 ? [] : ((await search.readExperience?.()) ?? []);
  const opened: GroupSearch[] = [];
  const run = (stage: Stage, group: GroupSearch, share: number): Promise<Found | undefined> =>
    runStage(stage, group, { search, log, share });
  for (const [index, group] of groups.entries()) {
    if (isOver()) break;
    const problem = environmentProblem(group.diagnostics);
    if (problem !== undefined) {
      note(`${group.file}: ${problem}`);
      continue;
    }
    const causes = await separateCauses(context, group, { recent, runTraced });
    causes.notes.forEach(note);
    const favour = favourFor(group.file, experience);
    for (const [at, cause] of causes.groups.entries()) {
      if (isOver()) break;
      const limit = search.maxCandidates;
      const group = await openGroupSearch(context, cause, { exclude: search.known, favour, limit, log });
      if (group === undefined) continue;
      opened.push(group);
      const found = await run(STAGES.singles, group, groups.length - index + causes.groups.length - at - 1);
      if (found !== undefined) return { found, notes };
    }
  }
  const runAll = async (stage: Stage, left = 1): Promise<Found | undefined> => {
    for (const [index, group] of opened.entries()) {
      if (isOver()) break;
      const found = await run(stage, group, (opened.length - index) / left);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const found =
    (await runAll(STAGES.pairs, opened.some(hasPartial) ? PAIRS_SHARE : 1)) ??
    (await takePart(context, opened, deadline)) ??
    (await runAll(STAGES.alone));
  return found === undefined ? { notes } : { found, notes };
}

async function takePart(
  { signal }: AttemptContext,
  opened: readonly GroupSearch[],
  deadline: number,
): Promise<Found | undefined> {
  const until = Math.max(deadline, performance.now() + GRACE_MS);
  for (const group of opened.filter(hasPartial)) {
    if (signal.aborted || performance.now() > until) break;
    const found = await STAGES.partial(group, { maxCandidates: Infinity, deadline: until });
    if (found !== undefined) return { ...found, testFile: group.search.group.file };
  }
  return undefined;
}

/** Groups share what is left: one that is not found must not cost the others theirs. */
async function runStage(
  stage: Stage,
  group: GroupSearch,
  { search, log, share }: { search: FailureSearch; log: AttemptLog; share: number },
): Promise<Found | undefined> {
  const now = performance.now();
  const found = await stage(group, {
    maxCandidates: Math.ceil((search.maxCandidates - log.tried) / share),
    deadline: now + (search.deadline - now) / share,
  });
  return found && { ...found, testFile: group.search.group.file };
}
