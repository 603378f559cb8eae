import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { FailureGroup } from './failures.ts';
import { lineFactors } from './line-factors.ts';
import type { RecentChanges } from './recent-changes.ts';
import { traceTests, type NamedTest, type RunTraced, type TestTrace } from './trace-tests.ts';

/** The smallest clusters beyond this number are searched for together. */
const MAX_CAUSES = 6;
/** Tests or files that one note lists. */
const MAX_LISTED = 5;

/** A group of failing tests, divided by probable cause. */
export interface Causes {
  readonly groups: readonly FailureGroup[];
  /** Sentences about flaky tests and about files that are not searched. */
  readonly notes: readonly string[];
}

/**
 * Traces the group's test file once and divides its failing tests by cause: tests that share no statement beyond
 * those that passing tests commonly reach get groups of their own, larger groups first. Tests that pass this time
 * are left out, because no edit can be judged by them.
 */
export async function separateCauses(
  context: AttemptContext,
  group: FailureGroup,
  { recent, runTraced }: { recent: RecentChanges; runTraced: RunTraced },
): Promise<Causes> {
  const factors = lineFactors(context, recent);
  const check = context.project.checks.find(({ name }) => name === group.check);
  if (check === undefined || group.tests.length === 0) {
    return { groups: [{ ...group, lineFactors: factors }], notes: [] };
  }
  context.onProgress(`tracing ${plural(group.tests.length, 'failing test')} of ${group.file}`);
  const trace = await traceTests({ context, check, testFile: group.file }, group.diagnostics, runTraced);
  if (context.signal.aborted) return { groups: [], notes: [] };
  const flaky = flakyTests(group, trace);
  const failing = partOf(group, new Set(group.tests.map(({ id }) => id).filter((id) => !flaky.has(id))));
  const notes = [...flakyNotes(group, flaky), ...sourceNotes(group, trace)];
  if (failing.tests.length === 0 || trace.sources.length === 0) return { groups: [], notes };
  const parts = clusters(failing, trace).map((ids) => partOf(failing, ids));
  return { groups: parts.map((part) => ({ ...part, lineFactors: factors, trace })), notes };
}

/** Ids of tests that now pass; not those that timed out before, because traced runs have no time limit. */
function flakyTests(group: FailureGroup, { tests }: TestTrace): Set<string> {
  const slow = new Set(
    group.diagnostics.filter(({ type }) => type === 'timeout').map(({ test_id }) => test_id),
  );
  const passing = new Set(tests.filter(({ passed }) => passed).map(({ id }) => id));
  const ids = group.tests.map(({ id }) => id).filter((id) => passing.has(id) && !slow.has(id));
  return new Set(ids);
}

function flakyNotes({ file, tests }: FailureGroup, flaky: ReadonlySet<string>): string[] {
  const names = tests.filter(({ id }) => flaky.has(id)).map(({ name }) => `"${name}"`);
  if (names.length === 0) return [];
  const list =
    names.slice(0, MAX_LISTED).join(', ') +
    (names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '');
  return [`${list} passed when ${file} ran again unchanged: flaky, or dependent on other test files.`];
}

function sourceNotes({ file }: FailureGroup, { sources, passedOver }: TestTrace): string[] {
  const reasons = passedOver.slice(0, MAX_LISTED).join(', ');
  if (sources.length > 0) return passedOver.length === 0 ? [] : [`Not searched: ${reasons}.`];
  const problem = `${file} imports no JavaScript or TypeScript source that may be changed, so there is nothing to search`;
  return [passedOver.length === 0 ? `${problem}.` : `${problem}: ${reasons}.`];
}

function partOf(group: FailureGroup, ids: ReadonlySet<string>): FailureGroup {
  if (ids.size === group.tests.length) return group;
  return {
    ...group,
    tests: group.tests.filter(({ id }) => ids.has(id)),
    diagnostics: group.diagnostics.filter(({ test_id }) => test_id === undefined || ids.has(test_id)),
  };
}

/** Ids of failing tests by probable cause; a single set if the trace does not distinguish them. */
function clusters(group: FailureGroup, trace: TestTrace): Set<string>[] {
  const all = new Set(group.tests.map(({ id }) => id));
  const failing = trace.tests.filter(
    (test): test is NamedTest & { id: string } => !test.passed && test.id !== undefined && all.has(test.id),
  );
  if (failing.length !== all.size || failing.some(({ hits }) => hits.length === 0)) return [all];
  const everywhere = commonStatements(trace.tests.filter(({ passed }) => passed));
  const tops = topFrames(group);
  let sets: Cluster[] = [];
  for (const { id, hits } of failing) {
    const own = hits.filter((statement) => !everywhere.has(statement)).map(String);
    const marks = new Set([...own, ...(tops.get(id) ?? [])]);
    // A test without uncommon statements may share a cause with any other.
    if (marks.size === 0) return [all];
    const linked = sets.filter((set) => [...marks].some((mark) => set.marks.has(mark)));
    sets = [
      ...sets.filter((set) => !linked.includes(set)),
      merged([...linked, { ids: new Set([id]), marks }]),
    ];
  }
  sets.sort((a, b) => b.ids.size - a.ids.size);
  const rest = sets.splice(MAX_CAUSES - 1);
  return (rest.length === 0 ? sets : [...sets, merged(rest)]).map(({ ids }) => ids);
}

interface Cluster {
  readonly ids: Set<string>;
  /** Uncommon statements that the tests reach, and the places where they failed. */
  readonly marks: Set<string>;
}

function merged(sets: readonly Cluster[]): Cluster {
  return {
    ids: new Set(sets.flatMap(({ ids }) => [...ids])),
    marks: new Set(sets.flatMap(({ marks }) => [...marks])),
  };
}

/** Statements that at least half of the passing tests reach, and at least two: sharing them is no evidence. */
function commonStatements(passing: readonly NamedTest[]): Set<number> {
  const counts = new Map<number, number>();
  for (const id of passing.flatMap(({ hits }) => hits)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const most = Math.max(2, passing.length / 2);
  return new Set([...counts].filter(([, count]) => count >= most).map(([id]) => id));
}

/** By test id, the innermost stack frame outside the test file. */
function topFrames({ file, diagnostics }: FailureGroup): Map<string, string[]> {
  return new Map(
    diagnostics.flatMap(({ test_id, frames = [] }) => {
      const top = frames.find((frame) => frame.file !== file);
      return test_id === undefined || top === undefined ? [] : [[test_id, [`${top.file}:${top.line}`]]];
    }),
  );
}
