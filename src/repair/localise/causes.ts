import type { AttemptContext } from '../../ports.ts';
import { factsOnLines } from './emphasis.ts';
import type { FailureGroup } from './failures.ts';
import type { RecentChanges } from './recent-changes.ts';
import { traceTests, type NamedTest, type TestTrace } from './trace-tests.ts';

/** More causes than these in one file are searched for together. */
const MAX_CAUSES = 6;
/** Tests and files that a sentence names. */
const SHOWN = 5;

/** A group's failing tests, apart by cause as far as they can be told apart, and what is to be said of the rest. */
export interface Causes {
  readonly groups: readonly FailureGroup[];
  /** Sentences: tests that pass after all, files that are not searched. */
  readonly notes: readonly string[];
}

/**
 * Runs the group's test file once, traced. Failing tests of which some reach nothing that others reach have causes
 * of their own: the larger parts come first, each with the trace and the lines that deserve more suspicion. Tests
 * that pass this time are left out: no edit can be judged by them.
 */
export async function separateCauses(
  context: AttemptContext,
  group: FailureGroup,
  recent: RecentChanges,
): Promise<Causes> {
  const facts = factsOnLines(context, recent);
  const check = context.project.checks.find(({ name }) => name === group.check);
  if (check === undefined || group.tests.length === 0) return { groups: [{ ...group, facts }], notes: [] };
  context.onProgress(`tracing ${group.tests.length} failing tests of ${group.file}`);
  const trace = await traceTests({ context, check, testFile: group.file }, group.diagnostics);
  if (context.signal.aborted) return { groups: [], notes: [] };
  const flaky = passingNow(group, trace);
  const failing = partOf(group, new Set(group.tests.map(({ id }) => id).filter((id) => !flaky.has(id))));
  const notes = [...flakyNotes(group, flaky), ...sourceNotes(group, trace)];
  if (failing.tests.length === 0 || trace.sources.length === 0) return { groups: [], notes };
  const parts = clusters(failing, trace).map((ids) => partOf(failing, ids));
  return { groups: parts.map((part) => ({ ...part, facts, trace })), notes };
}

/** Ids of tests that failed before and pass when their file runs again; a lifted time limit is no such pass. */
function passingNow(group: FailureGroup, { tests }: TestTrace): Set<string> {
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
    names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');
  return [`${list} passed when ${file} ran again unchanged: flaky, or dependent on other test files.`];
}

function sourceNotes({ file }: FailureGroup, { sources, passedOver }: TestTrace): string[] {
  const reasons = passedOver.slice(0, SHOWN).join(', ');
  if (sources.length > 0) return passedOver.length === 0 ? [] : [`Not searched: ${reasons}.`];
  const nothing = `${file} imports no JavaScript or TypeScript source that may be changed, so there is nothing to search`;
  return [passedOver.length === 0 ? `${nothing}.` : `${nothing}: ${reasons}.`];
}

function partOf(group: FailureGroup, ids: ReadonlySet<string>): FailureGroup {
  if (ids.size === group.tests.length) return group;
  return {
    ...group,
    tests: group.tests.filter(({ id }) => ids.has(id)),
    diagnostics: group.diagnostics.filter(({ test_id }) => test_id === undefined || ids.has(test_id)),
  };
}

/** Ids of failing tests that may have one cause; a single set where they cannot be told apart. */
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
    // Nothing of its own: it may share a cause with any other.
    if (marks.size === 0) return [all];
    const linked = sets.filter((set) => [...marks].some((mark) => set.marks.has(mark)));
    sets = [
      ...sets.filter((set) => !linked.includes(set)),
      joined([...linked, { ids: new Set([id]), marks }]),
    ];
  }
  sets.sort((a, b) => b.ids.size - a.ids.size);
  const rest = sets.splice(MAX_CAUSES - 1);
  return (rest.length === 0 ? sets : [...sets, joined(rest)]).map(({ ids }) => ids);
}

/** Failing tests, and what tells them from others: statements and places of failure. */
interface Cluster {
  readonly ids: Set<string>;
  readonly marks: Set<string>;
}

function joined(sets: readonly Cluster[]): Cluster {
  return {
    ids: new Set(sets.flatMap(({ ids }) => [...ids])),
    marks: new Set(sets.flatMap(({ marks }) => [...marks])),
  };
}

/** Statements that most passing tests reach as well: that two failing ones share them says little. */
function commonStatements(passing: readonly NamedTest[]): Set<number> {
  const counts = new Map<number, number>();
  for (const id of passing.flatMap(({ hits }) => hits)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const most = Math.max(2, passing.length / 2);
  return new Set([...counts].filter(([, count]) => count >= most).map(([id]) => id));
}

/** For each failing test the place in source code where it failed, as far as its stack tells. */
function topFrames({ file, diagnostics }: FailureGroup): Map<string, string[]> {
  return new Map(
    diagnostics.flatMap(({ test_id, frames = [] }) => {
      const top = frames.find((frame) => frame.file !== file);
      return test_id === undefined || top === undefined ? [] : [[test_id, [`${top.file}:${top.line}`]]];
    }),
  );
}
