import { parseHunks } from '../platform/text/patch-hunks.ts';
import type { ChangedLine } from '../ports/reflection.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import type { Evaluation } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** Tests that are run again after an attempt, and changed lines that are looked for in them. */
const MOST = { tests: 2, lines: 60 } as const;

/** Ids of tests that failed before an attempt and pass after it. */
export interface FixesSeen {
  /** They were seen to run a line that it changed, or to fail again without it. */
  readonly seen: readonly string[];
  /** They were seen to run none of these lines, so that they pass for another reason. */
  readonly unrun: readonly string[];
}

const NONE: FixesSeen = { seen: [], unrun: [] };

/**
 * The tests that an attempt fixed, by what they run: a test may also pass by the clock or by chance. Of the edits of the search
 * this is known, because it found them by what the test runs, and of tests that the proof saw fail again without the change.
 * Once in the life of a loop; leaves the tree of the attempt in the workspace.
 */
export async function fixesSeen(loop: LoopRun, attempt: Attempt, previous: Evaluation): Promise<FixesSeen> {
  const { evaluation, changes, iteration, trajectory } = attempt;
  const fixed = compareFailures(previous, evaluation).fixed.filter(({ test_id: id }) => id !== undefined);
  if (fixed.length === 0 || changes.files.length === 0) return NONE;
  const ids = [...new Set(fixed.map(({ test_id: id }) => id!))];
  if (trajectory.accepted !== undefined) return { seen: ids, unrun: [] };
  const { bench, store, tracer, workspace } = loop.ports;
  // The proof compares with the untouched tree.
  const redAgain = attempt.startedFrom === 0 ? loop.redAgain.get(iteration) : undefined;
  const again = ids.filter((id) => redAgain?.has(id));
  const left = ids.filter((id) => !again.includes(id));
  if (tracer === undefined || left.length === 0) return { ...NONE, seen: again };
  const found = await store.step(`${iteration}:fixes`, async () => {
    await loop.moveToForChecks(attempt.tree);
    const results: FixesSeen & { readonly seen: string[]; readonly unrun: string[] } = {
      seen: [...again],
      unrun: [],
    };
    for (const id of left.slice(0, MOST.tests)) {
      const request = {
        ...{
          root: workspace.root,
          project: loop.options.project,
          evaluation: previous,
          bench,
          signal: loop.signal,
        },
        ...{ failure: fixed.find((one) => one.test_id === id)!, lines: touchedLines(changes.patch) },
      };
      const isRun = await tracer.executes(request).catch(() => undefined);
      if (isRun !== undefined) results[isRun ? 'seen' : 'unrun'].push(id);
    }
    await loop.moveTo(attempt.tree);
    return results;
  });
  // A journal of an earlier version has the seen ones alone.
  return Array.isArray(found) ? { seen: found as string[], unrun: [] } : found;
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
