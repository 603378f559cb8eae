import { parseHunks } from '../platform/text/patch-hunks.ts';
import type { ChangedLine, LineTrace } from '../ports/reflection.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import { sortByImportance } from '../schema/failure-order.ts';
import type { Evaluation } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** More changed lines than a reader could use say nothing. */
const MOST_LINES = 30;

/**
 * Runs the most important failing test of an attempt again, to see which of the changed lines it runs and which values it
 * computes. `previous` is the evaluation of the tree that the attempt started from. Undefined where there is no tracer or
 * test, and where the run does not succeed. Leaves the tree of the attempt in the workspace.
 */
export async function traceFailure(
  loop: LoopRun,
  attempt: Attempt,
  previous: Evaluation,
): Promise<LineTrace | undefined> {
  const { bench, tracer, workspace } = loop.ports;
  const { evaluation, changes, tree } = attempt;
  const { now, fresh } = compareFailures(previous, evaluation);
  const [failure] = sortByImportance(now, new Set(fresh));
  if (tracer === undefined || failure?.severity !== 'error' || failure.test_id === undefined)
    return undefined;
  const changed = linesOf(changes.patch);
  const lines = changed.length > MOST_LINES ? [] : changed;
  const { project } = loop.options;
  await loop.moveToForChecks(tree);
  const request = { root: workspace.root, project, evaluation, failure, lines, bench, signal: loop.signal };
  return await tracer.trace(request).catch(() => undefined);
}

function linesOf(patch: string): ChangedLine[] {
  return parseHunks(patch).flatMap(({ file, added, addedAt }) =>
    addedAt.flatMap((line, index) => (WITHOUT_CODE.test(added[index]!) ? [] : [{ file, line }])),
  );
}

/** A line with nothing but white space, closing brackets or a comment. */
const WITHOUT_CODE = /^\s*(?:[\])};,]*|\/\/.*|\/?\*.*)\s*$/;
