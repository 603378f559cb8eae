import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext, EditIdea } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { plural } from '../../platform/text/plural.ts';
import type { AttemptLog } from './attempt-log.ts';
import { factorsFrom } from './experience.ts';
import type { AcceptedEdit } from '../../schema/generated.ts';
import { failureGroups, type FailureGroup } from '../localise/failures.ts';
import type { Suspect } from '../localise/localise.ts';
import { readTestValues, type TestValues } from '../refuse/evidence.ts';
import { reachedSources } from '../syntax/imports.ts';
import { proposeRanked, type RankedCandidate } from './propose.ts';
import { rankIdeas, withoutEqual } from './rank-ideas.ts';
import { recallCandidates } from './recall-candidates.ts';
import { ruledOutIn, scopeOf } from './ruled-out.ts';
import type { GroupSearch } from './group-search.ts';
import type { Habits } from '../habits/habits.ts';
import { searchedFiles } from '../localise/searched-files.ts';
import { findSuspects } from '../localise/suspects.ts';
import { readTypedMembers } from '../fixers/typed-members.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { SINGLES } from './try-batches.ts';
import { runTraced } from '../trial/trace-run.ts';

/** Time limit of unchanged tests that reported nothing within the check's time limit: they are unlikely to end. */
const ENDLESS_MS = 500;
/** Files nearest to the tests for which the type checker is asked for members. */
const MOST_TYPED = 12;
/** Edits that are proposed before the first trial: as many as the first two batches try. */
const FIRST_PROPOSED = SINGLES.first + SINGLES.later;
const MAX_PROBES = 12;
const SHOWN_SUSPECTS = 5;
/** Other files with failing tests that claims are tried on. */
const MAX_OTHERS = 3;

/** Knowledge and limits of a group's search. */
export interface GroupOptions {
  /** Signatures with their scopes that earlier attempts ruled out. */
  readonly known: ReadonlySet<string>;
  /** Edits that repaired this repository before. */
  readonly experience: readonly AcceptedEdit[];
  /** What the code and the history of the repository make usual; not known without memory. */
  readonly habits?: Habits | undefined;
  /** Edits that a model proposed, most promising first. */
  readonly ideas?: readonly EditIdea[] | undefined;
  /** Edits that undo a part of a recent commit, newest first. */
  readonly earlierTexts?: readonly EditIdea[] | undefined;
  /** Largest number of single edits. */
  readonly limit: number;
  readonly log: AttemptLog;
  /** The confidence from which an edit is claimed, 0..1. */
  readonly minConfidence: number;
}

/**
 * Opens the search for a group of failing tests: finds the suspects and proposes the edits worth trying there.
 * Undefined if the group's check is not part of the project.
 */
export async function openGroupSearch(
  context: AttemptContext,
  group: FailureGroup,
  { known, experience, habits, ideas = [], earlierTexts = [], limit, log, minConfidence }: GroupOptions,
): Promise<GroupSearch | undefined> {
  const ids = group.tests.map(({ id }) => id);
  const scope = scopeOf(group.file, ids);
  const check = context.project.checks.find(({ name }) => name === group.check);
  if (check === undefined) return undefined;
  const target = targetOf(context, group, check);
  const files = reachedSources(context.root, group.file, searchedFiles(context)).map(({ file }) => file);
  const [suspects, typedMembers] = await Promise.all([
    localise(target, group, log),
    readTypedMembers(context, files.slice(0, MOST_TYPED)),
  ]);
  const factors = factorsFrom(group.file, experience);
  const proposed = [
    ...(await rankIdeas(context, files, { ideas, suspects, onLeftOut: log.leftOut.startSearch() })),
    ...(await rankIdeas(context, files, { ideas: earlierTexts, suspects, from: 'earlier-text' })),
  ];
  const ruledOut = ruledOutIn(scope, known);
  const propose = (most: number): Promise<RankedCandidate[]> =>
    proposeRanked({
      root: context.root,
      testFile: group.file,
      suspects,
      diagnostics: group.diagnostics,
      limit: most,
      factors,
      habits,
      typedMembers,
      signal: context.signal,
    });
  // Earlier repairs may favour any edit, so all of them are proposed at once.
  const first = experience.length > 0 ? limit : Math.min(limit, FIRST_PROPOSED + ruledOut.size);
  const searched = await propose(first);
  const ranked = withoutEqual([...proposed, ...searched]);
  const ideal = proposed.map(({ candidate }) => candidate);
  return {
    context,
    group,
    target,
    log,
    scope,
    ranked,
    recalled: [...new Set([...ideal, ...recallCandidates(ranked, factors)])],
    proposeMore: async () => (searched.length === first && first < limit ? await propose(limit) : []),
    ruledOut,
    scores: new Map(ranked.map(({ candidate, score }) => [candidate, score])),
    observed: [],
    partial: [],
    left: [],
    withheld: [],
    sound: new Set(),
    spoiling: new Set(),
    deferred: [],
    others: othersOf(context, group, check),
    fixedElsewhere: new Map(),
    removedErrors: new Map(),
    testValues: await testValuesOf(context, group),
    minConfidence,
  };
}

async function testValuesOf(
  { root }: AttemptContext,
  { file, diagnostics }: FailureGroup,
): Promise<TestValues> {
  const text = await readTreeText(join(root, file));
  const expected = diagnostics
    .map((diagnostic) => diagnostic.expected)
    .filter((value) => value !== undefined);
  return readTestValues({ file, text }, expected);
}

/** The failing tests of a few other files that the same check runs. */
function othersOf(context: AttemptContext, { file }: FailureGroup, check: CheckPlan): TrialTarget[] {
  return failureGroups(context)
    .filter((other) => other.check === check.name && other.file !== file && other.tests.length > 0)
    .slice(0, MAX_OTHERS)
    .map((other) => targetOf(context, other, check));
}

/** The quickest failing tests stand for the rest. */
function targetOf(context: AttemptContext, group: FailureGroup, check: CheckPlan): TrialTarget {
  if (group.tests.length === 0) return { context, check, testFile: group.file, originalMs: ENDLESS_MS };
  const byDuration = [...group.tests].sort((a, b) => (a.duration_ms ?? 0) - (b.duration_ms ?? 0));
  return { context, check, testFile: group.file, only: byDuration.slice(0, MAX_PROBES) };
}

async function localise(
  target: TrialTarget,
  group: FailureGroup,
  log: AttemptLog,
): Promise<readonly Suspect[]> {
  const { file, tests } = group;
  const { suspects, basis, command } = await findSuspects(target, group, runTraced);
  log.addAction({
    type: 'test_execution',
    description: `Located suspects by ${basis}.`,
    file_path: file,
    command,
  });
  const named = suspects.slice(0, SHOWN_SUSPECTS).map(mostSuspiciousLine).join(', ');
  log.addReason(
    `Suspects for ${plural(tests.length, 'failing test')} of ${file}, by ${basis}: ${named || 'none'}.`,
  );
  return suspects;
}

function mostSuspiciousLine({ file, regions }: Suspect): string {
  const [first, ...rest] = regions;
  const worst = rest.reduce((best, region) => (region.weight >= best.weight ? region : best), first!);
  return `${file}:${worst.line} (${worst.weight.toFixed(2)})`;
}
