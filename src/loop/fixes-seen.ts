import { parseHunks } from '../platform/text/patch-hunks.ts';
import type { ChangedLine } from '../ports/reflection.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import type { Evaluation } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** Tests that are run again after an attempt, and changed lines that are looked for in them. */
const MOST = { tests: 2, lines: 60 } as const;

/**
 * Ids of the tests that an attempt fixed and that were seen to run a line which it changed: a test may also pass by the clock or
 * by chance. Of the edits of the search this is known, because it found them by what the test runs. Once in the life of a loop;
 * leaves the tree of the attempt in the workspace.
 */
export async function fixesSeen(
  loop: LoopRun,
  attempt: Attempt,
  previous: Evaluation,
): Promise<readonly string[]> {
  const { evaluation, changes, iteration, trajectory } = attempt;
  const fixed = compareFailures(previous, evaluation).fixed.filter(({ test_id: id }) => id !== undefined);
  if (fixed.length === 0 || changes.files.length === 0) return [];
  const ids = [...new Set(fixed.map(({ test_id: id }) => id!))];
  if (trajectory.accepted !== undefined) return ids;
  const { bench, store, tracer, workspace } = loop.ports;
  if (tracer === undefined) return [];
  return store.step(`${iteration}:fixes`, async () => {
    await loop.moveToForChecks(attempt.tree);
    const seen: string[] = [];
    for (const id of ids.slice(0, MOST.tests)) {
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
      if (await tracer.executes(request).catch(() => false)) seen.push(id);
    }
    await loop.moveTo(attempt.tree);
    return seen;
  });
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
