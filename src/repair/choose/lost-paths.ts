import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { TracedRun } from '../localise/trace-tests.ts';
import { instrumentForTrace, keepLoading, type TracedStatement } from '../localise/trace.ts';
import { changeOf, offsetBefore, type Change } from '../refuse/change.ts';
import type { Candidate } from '../syntax/edit.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import type { Range } from '../syntax/regions.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { runTraced } from '../trial/trace-run.ts';

/** The statements of an unchanged file, and which passing tests reach each. */
export interface PassingPaths {
  readonly parsed: ParsedSource;
  readonly statements: readonly TracedStatement[];
  /** Places of tests in the order of the run, by the id of a statement; what runs while modules load is left out. */
  readonly passing: ReadonlyMap<number, ReadonlySet<number>>;
  /** Places of all passing tests in the order of the run. */
  readonly passed: ReadonlySet<number>;
}

/** The share of a statement's passing tests that it may lose: a repair takes single cases from it. */
const MOST_LOST = 0.5;
/** From so many fixed tests for each that loses a statement on, the loss says nothing: a few tests passed by chance. */
const FIXED_FOR_ONE_LOST = 4;

/** Runs the test file once on the unchanged text of a file. Undefined if that cannot be traced. */
export async function passingPathsOf(target: TrialTarget, file: string): Promise<PassingPaths | undefined> {
  const parsed = parseSource(file, await readTreeText(join(target.context.root, file)));
  const traced = 'problem' in parsed ? undefined : await trace(target, parsed);
  if ('problem' in parsed || traced === undefined) return undefined;
  const { run, statements } = traced;
  const loading = new Set(run.loading);
  const passing = new Map<number, Set<number>>();
  for (const [test, { hits, passed }] of run.tests.entries())
    for (const id of passed ? hits : [])
      if (!loading.has(id)) passing.set(id, (passing.get(id) ?? new Set()).add(test));
  const passed = run.tests.flatMap((test, place) => (test.passed ? [place] : []));
  return { parsed, statements, passing, passed: new Set(passed) };
}

/** The most passing tests that reach one of the places that a candidate changes: the innermost statements around them. */
export function passingAt({ statements, passing }: PassingPaths, { edits }: Candidate): number {
  const counts = edits.map(({ start, end }) => {
    const around = statements.filter((outer) => outer.start <= start && end <= outer.end);
    const size = (range: Range): number => range.end - range.start;
    const innermost = around.sort((a, b) => size(a) - size(b))[0];
    return innermost === undefined ? 0 : (passing.get(innermost.id)?.size ?? 0);
  });
  return Math.max(0, ...counts);
}

/**
 * Statements that passing tests reach, and that most of them no longer reach with the candidate: it removes the statements or
 * keeps the tests from them. What tests rely on is seldom superfluous, unless the candidate fixes many more tests.
 */
export async function lostPaths(
  target: TrialTarget,
  paths: PassingPaths,
  candidate: Candidate,
): Promise<readonly TracedStatement[]> {
  const change = changeOf(paths.parsed, candidate);
  const traced = change && paths.passing.size > 0 ? await trace(target, change.after) : undefined;
  if (change === undefined || traced === undefined) return [];
  const { run, statements } = traced;
  const removed = removedRanges(change, candidate);
  const fixed = run.tests.filter((test, place) => test.passed && !paths.passed.has(place)).length;
  const after = new Map(statements.map(({ id, start }) => [offsetBefore(change, start), id]));
  return paths.statements.filter((statement) => {
    const tests = [...(paths.passing.get(statement.id) ?? [])];
    if (tests.length === 0) return false;
    if (removed.some((range) => contains(range, statement))) return true;
    const id = after.get(statement.start);
    if (id === undefined || run.loading.includes(id)) return false;
    const lost = tests.filter((test) => run.tests[test]?.hits.includes(id) === false);
    return lost.length > MOST_LOST * tests.length && lost.length * FIXED_FOR_ONE_LOST > fixed;
  });
}

/** The ranges in whose place nothing stands. */
function removedRanges({ removed }: Change, { edits }: Candidate): Range[] {
  return removed.filter((_, index) => edits[index]!.replacement.trim() === '');
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

async function trace(
  target: TrialTarget,
  parsed: ParsedSource,
): Promise<{ run: TracedRun; statements: readonly TracedStatement[] } | undefined> {
  const { statements, text } = instrumentForTrace(parsed, 0, [keepLoading(parsed)]);
  if (statements.length === 0) return undefined;
  const run = await runTraced(target, new Map([[parsed.file, text]]));
  return run && { run, statements };
}
