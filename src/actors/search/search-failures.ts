import type { AttemptContext } from '../../ports.ts';
import type { AttemptLog } from './attempt-log.ts';
import { separateCauses } from './causes.ts';
import { type Favour, favourFor, type ReadExperience } from './experience.ts';
import { environmentProblem, failureGroups, type FailureGroup } from './failures.ts';
import type { ReadRecentChanges, RecentChanges } from './recent-changes.ts';
import { searchGroup } from './search-group.ts';
import type { ColdVerdict } from './trial-cold.ts';

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

/** Searches for one edit that mends failing tests, one group and one cause after the other. */
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
  for (const group of groups) {
    if (isOver()) break;
    const problem = environmentProblem(group.diagnostics);
    if (problem !== undefined) {
      note(`${group.file}: ${problem}`);
      continue;
    }
    const causes = await separateCauses(context, group, recent);
    causes.notes.forEach(note);
    const favour = favourFor(group.file, experience);
    const found = await searchCauses(context, causes.groups, { search, favour, log, isOver });
    if (found !== undefined) return { found, notes };
  }
  return { notes };
}

interface CauseSearch {
  readonly search: FailureSearch;
  readonly favour: Favour;
  readonly log: AttemptLog;
  readonly isOver: () => boolean;
}

/** The causes of one file share what is left: one that is not found must not cost the others theirs. */
async function searchCauses(
  context: AttemptContext,
  causes: readonly FailureGroup[],
  { search, favour, log, isOver }: CauseSearch,
): Promise<Found | undefined> {
  for (const [index, cause] of causes.entries()) {
    if (isOver()) break;
    const share = causes.length - index;
    const now = performance.now();
    const bounds = {
      exclude: search.known,
      maxCandidates: Math.ceil((search.maxCandidates - log.tried) / share),
      deadline: now + (search.deadline - now) / share,
    };
    const found = await searchGroup(context, cause, { bounds, favour, log });
    if (found !== undefined) return { ...found, testFile: cause.file };
  }
  return undefined;
}
