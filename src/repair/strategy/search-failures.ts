import type { AttemptContext, EditIdea } from '../../ports/attempt.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import type { ReadExperience } from './experience.ts';
import type { Habits } from '../habits/habits.ts';
import { readHabits, type ReadPastChanges } from '../habits/read-habits.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { GroupSearch } from './group-search.ts';
import { separateCauses } from '../localise/causes.ts';
import { environmentProblem, failureGroups } from '../localise/failures.ts';
import type { ReadRecentChanges, RecentChanges } from '../localise/recent-changes.ts';
import { openGroupSearch } from './search-group.ts';
import { scopeOf } from './ruled-out.ts';
import { runTraced } from '../trial/trace-run.ts';
import { STAGES, type Stage } from './stages.ts';

/** Limits of a search and the knowledge that it starts from. */
export interface FailureSearchRequest {
  /** Largest number of edits tried in the attempt. */
  readonly maxCandidates: number;
  /** `performance.now()` at which no further trial starts. */
  readonly deadline: number;
  /** Signatures with their scopes that earlier attempts ruled out. */
  readonly known: ReadonlySet<string>;
  /** The confidence from which an edit is claimed, 0..1. */
  readonly minConfidence: number;
  /** Scopes of failures whose edits earlier attempts withheld. */
  readonly withheldScopes: ReadonlySet<string>;
  readonly readRecentChanges?: ReadRecentChanges;
  readonly readExperience?: ReadExperience;
  /** Reads the changes of the repository's history, to learn its habits; nothing is learned if absent. */
  readonly readPastChanges?: ReadPastChanges;
  /** Reads the edits that undo a part of a recent commit; none if absent. */
  readonly readEarlierTexts?: () => Promise<readonly EditIdea[]>;
  /** Edits that a model proposed, most promising first. */
  readonly ideas?: readonly EditIdea[] | undefined;
}

/** A confirmed edit, not yet applied, and the file of the tests that it was found for. */
export type Found = ColdVerdict & { readonly testFile: string };

/** The outcome of a search. */
export interface FailureSearchResult {
  readonly found?: Found;
  /** Sentences about failures and files that were not searched. */
  readonly notes: readonly string[];
}

/** Share of the remaining time for pairs if an edit is known that fixes some of a group's tests. */
const PAIRS_SHARE = 0.7;
/** Share of the remaining time for runs of edits that were not sure enough; without them, none is listed. */
const WITHHELD_SHARE = 0.4;
/** Time to confirm an edit that was found before the deadline. */
const GRACE_MS = 10_000;

/** The searches of one attempt. */
interface Searches {
  readonly context: AttemptContext;
  readonly log: AttemptLog;
  readonly request: FailureSearchRequest;
  /** One for each cause that was opened, in order. */
  readonly opened: GroupSearch[];
  readonly notes: string[];
}

/**
 * Searches for one edit that makes failing tests pass. Every group and cause gets the quick stage first, so that a
 * slow one does not delay the others. If no edit repairs a whole group, the best edit that fixes some of its tests and
 * breaks none is accepted, even after the deadline.
 */
export async function searchFailures(
  context: AttemptContext,
  log: AttemptLog,
  request: FailureSearchRequest,
): Promise<FailureSearchResult> {
  const searches: Searches = { context, log, request, opened: [], notes: [] };
  const found =
    (await tryEachCause(searches)) ??
    (await acceptAny(searches, STAGES.deferred, ({ deferred }) => deferred.length > 0)) ??
    (await runStage(searches, STAGES.withheld, WITHHELD_SHARE)) ??
    (await runStage(searches, STAGES.pairs, searches.opened.some(hasPartial) ? PAIRS_SHARE : 1)) ??
    (await acceptAny(searches, STAGES.partial, hasPartial)) ??
    (await runStage(searches, STAGES.oneByOne)) ??
    (await acceptAny(searches, STAGES.withheld, ({ withheld }) => withheld.length > 0));
  return { found, notes: searches.notes };
}

/** Opens the search of each cause, group by group, and tries its single edits at once. */
async function tryEachCause(searches: Searches): Promise<Found | undefined> {
  const { context, log, request, opened } = searches;
  const groups = failureGroups(context);
  if (groups.length === 0) {
    addNote(searches, nothingToSearch(context));
    return undefined;
  }
  const recent: RecentChanges = (await request.readRecentChanges?.()) ?? new Map();
  const experience = (await request.readExperience?.(context.withheld)) ?? [];
  const earlierTexts = await request.readEarlierTexts?.();
  const { ideas, known, maxCandidates, minConfidence, withheldScopes } = request;
  const habits = await learnHabits(context, request);
  const options = {
    known,
    experience,
    habits,
    limit: maxCandidates,
    log,
    minConfidence,
    ideas,
    earlierTexts,
  };
  for (const [index, group] of groups.entries()) {
    if (isOver(searches)) break;
    const problem = environmentProblem(group.diagnostics);
    if (problem !== undefined) {
      addNote(searches, `${group.file}: ${problem}`);
      continue;
    }
    const causes = await separateCauses(context, group, { recent, runTraced });
    for (const note of causes.notes) addNote(searches, note);
    for (const [at, cause] of causes.groups.entries()) {
      if (isOver(searches)) break;
      const ids = cause.tests.map(({ id }) => id);
      if (withheldScopes.has(scopeOf(cause.file, ids))) {
        addNote(
          searches,
          `${cause.file}: an earlier attempt found plausible edits for these failures and chose none.`,
        );
        continue;
      }
      const search = await openGroupSearch(context, cause, options);
      if (search === undefined) continue;
      opened.push(search);
      const searchesLeft = groups.length - index + causes.groups.length - at - 1;
      const found = await runWithin(searches, STAGES.singles, search, searchesLeft);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Undefined without memory, and in a loop that memory is withheld from. */
async function learnHabits(
  { root, withheld }: AttemptContext,
  { readPastChanges }: FailureSearchRequest,
): Promise<Habits | undefined> {
  return readPastChanges === undefined || withheld?.all === true
    ? undefined
    : await readHabits(root, readPastChanges);
}

function nothingToSearch({ evaluation }: AttemptContext): string {
  const isRed = evaluation.checks.some(({ kind, status }) => kind === 'tests' && status === 'fail');
  return isRed
    ? 'The failing tests are run by a command whose report names no test file, so the search cannot trace them.'
    : 'No test fails, so there is nothing to search for.';
}

/** Runs a stage for each opened search within a share of the remaining time and edits, until one finds an edit. */
async function runStage(searches: Searches, stage: Stage, share = 1): Promise<Found | undefined> {
  const { opened } = searches;
  for (const [index, search] of opened.entries()) {
    if (isOver(searches)) break;
    const found = await runWithin(searches, stage, search, (opened.length - index) / share);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Runs a stage with 1 / `parts` of the remaining time and edits, so that one search leaves enough for the others. */
async function runWithin(
  { log, request }: Searches,
  stage: Stage,
  search: GroupSearch,
  parts: number,
): Promise<Found | undefined> {
  const now = performance.now();
  const found = await stage(search, {
    maxCandidates: Math.ceil((request.maxCandidates - log.tried) / parts),
    deadline: now + (request.deadline - now) / parts,
  });
  return found && { ...found, testFile: search.group.file };
}

/** Accepts an edit of a search that has some for a stage, even after the deadline. */
async function acceptAny(
  { context, opened, request }: Searches,
  stage: Stage,
  hasSome: (search: GroupSearch) => boolean,
): Promise<Found | undefined> {
  const deadline = Math.max(request.deadline, performance.now() + GRACE_MS);
  for (const search of opened.filter(hasSome)) {
    if (context.signal.aborted || performance.now() > deadline) break;
    const found = await stage(search, { maxCandidates: Infinity, deadline });
    if (found !== undefined) return { ...found, testFile: search.group.file };
  }
  return undefined;
}

function hasPartial({ partial }: GroupSearch): boolean {
  return partial.length > 0;
}

function isOver({ context, log, request }: Searches): boolean {
  return context.signal.aborted || performance.now() > request.deadline || log.tried >= request.maxCandidates;
}

function addNote({ log, notes }: Searches, text: string): void {
  notes.push(text);
  log.addReason(text);
}
