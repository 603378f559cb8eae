import { parseHunks } from '../platform/text/patch-hunks.ts';
import type { ChangedLine } from '../ports/reflection.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import type { Diagnostic, Evaluation } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** Most tests that are traced after an attempt, changed lines that are looked for in them, and files that are run again. */
const MOST = { tests: 2, lines: 60, files: 5 } as const;
/** A run on the tree before that takes longer is cut off, and then says nothing. */
const MAX_MS = 30_000;
const SLACK_MS = 5000;

/** Ids of tests that failed before an attempt and pass after it. */
export interface FixesSeen {
  /** They were seen to run a line that it changed, or to fail again without it. */
  readonly seen: readonly string[];
  /** They were seen to run none of these lines, so that they pass for another reason. */
  readonly unrun: readonly string[];
  /** They passed when they were run again on the tree before the attempt: they pass without it. */
  readonly without: readonly string[];
}

const NONE: FixesSeen = { seen: [], unrun: [], without: [] };

/**
 * The tests that an attempt fixed, by what they run and by what they do without it: a test may also pass by the clock or by
 * chance. Of the edits of the search this is known, because it found them by what the test runs, and of tests that the proof saw
 * fail again without the change. Once in the life of a loop; leaves the tree of the attempt in the workspace.
 */
export async function fixesSeen(loop: LoopRun, attempt: Attempt, previous: Evaluation): Promise<FixesSeen> {
  const { evaluation, changes, iteration, trajectory } = attempt;
  const fixed = compareFailures(previous, evaluation).fixed.filter(({ test_id: id }) => id !== undefined);
  if (fixed.length === 0 || changes.files.length === 0) return NONE;
  const ids = [...new Set(fixed.map(({ test_id: id }) => id!))];
  if (trajectory.accepted !== undefined) return { ...NONE, seen: ids };
  const { store, tracer } = loop.ports;
  // The proof compares with the untouched tree.
  const redAgain = attempt.startedFrom === 0 ? loop.redAgain.get(iteration) : undefined;
  const again = ids.filter((id) => redAgain?.has(id));
  const left = fixed.filter(({ test_id: id }) => !again.includes(id!));
  if (tracer === undefined || left.length === 0) return { ...NONE, seen: again };
  const found = await store.step(`${iteration}:fixes`, async () => {
    const { failed, passed: without } = await runBefore(loop, attempt, previous, left);
    const rest = new Map(left.map((failure) => [failure.test_id!, failure]));
    for (const id of without) rest.delete(id);
    const traced = [...rest].slice(0, MOST.tests);
    const { seen, unrun } = await traceFixes(loop, attempt, previous, traced);
    const others = [...rest.keys()].slice(MOST.tests).filter((id) => failed.includes(id));
    loop.throwIfAborted();
    await loop.moveTo(attempt.tree);
    return { seen: [...again, ...seen, ...others], unrun, without };
  });
  // A journal of an earlier version has the seen ones alone.
  return Array.isArray(found) ? { ...NONE, seen: found as string[] } : { ...NONE, ...found };
}

/** Ids of the fixed tests by what they do when their files are run again on the tree that the attempt started from. */
async function runBefore(
  loop: LoopRun,
  { startedFrom }: Attempt,
  previous: Evaluation,
  fixed: readonly Diagnostic[],
): Promise<Readonly<Record<'failed' | 'passed', readonly string[]>>> {
  const { bench, workspace } = loop.ports;
  await loop.moveToForChecks(loop.attempts[startedFrom - 1]?.tree ?? workspace.base);
  const found: Record<'failed' | 'passed', string[]> = { failed: [], passed: [] };
  for (const [name, failures] of Map.groupBy(fixed, ({ check }) => check)) {
    const ids = new Set(failures.map(({ test_id: id }) => id!));
    const files = new Set(previous.tests.flatMap(({ id, file }) => (ids.has(id) ? (file ?? []) : [])));
    const duration = previous.checks.find((check) => check.name === name)?.duration_ms ?? 0;
    const selected = files.size === 0 || files.size > MOST.files ? {} : { files: [...files] };
    const timeoutMs = Math.min(MAX_MS, SLACK_MS + 2 * duration);
    // A check of ralph's own is none of the project's.
    const report = await bench
      .run(name, { ...selected, timeoutMs, signal: loop.signal })
      .catch(() => undefined);
    for (const { id, status } of report?.tests ?? [])
      if (ids.has(id) && (status === 'passed' || status === 'failed')) found[status].push(id);
  }
  return found;
}

/** Ids of tests by whether a traced run of them executes a line that the attempt changed. */
async function traceFixes(
  loop: LoopRun,
  { tree, changes }: Attempt,
  previous: Evaluation,
  fixed: readonly (readonly [string, Diagnostic])[],
): Promise<Pick<FixesSeen, 'seen' | 'unrun'>> {
  const { bench, tracer, workspace } = loop.ports;
  const results = { seen: [] as string[], unrun: [] as string[] };
  if (fixed.length === 0) return results;
  await loop.moveToForChecks(tree);
  for (const [id, failure] of fixed) {
    const request = {
      ...{ root: workspace.root, project: loop.options.project, evaluation: previous },
      ...{ bench, signal: loop.signal, failure, lines: touchedLines(changes.patch) },
    };
    const isRun = await tracer!.executes(request).catch(() => undefined);
    if (isRun !== undefined) results[isRun ? 'seen' : 'unrun'].push(id);
  }
  return results;
}

/** The written lines; of an edit that only removes lines, those beside it. */
function touchedLines(patch: string): ChangedLine[] {
  const lines = parseHunks(patch).flatMap(({ file, edits }) =>
    edits.flatMap(({ line, added }) => {
      const written = added.map((_, index) => line + index);
      return (written.length > 0 ? written : [line - 1, line]).map((at) => ({ file, line: at }));
    }),
  );
  return lines.slice(0, MOST.lines);
}
