import { parseHunks } from '../platform/text/patch-hunks.ts';
import type { ChangedLine, LineTrace } from '../ports.ts';
import type { Diagnostic } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** More changed lines than a reader could use say nothing. */
const MOST_LINES = 30;

/**
 * Runs the first failing test of an attempt again, to see which of the changed lines it runs. Undefined where there is no
 * tracer, test or changed line, and where the run does not succeed. Leaves the tree of the attempt in the workspace.
 */
export async function traceFailure(loop: LoopRun, attempt: Attempt): Promise<LineTrace | undefined> {
  const { bench, tracer, workspace } = loop.ports;
  const { evaluation, changes, tree } = attempt;
  const failure = evaluation.diagnostics.find(isOfTest);
  const lines = linesOf(changes.patch);
  if (tracer === undefined || failure === undefined) return undefined;
  if (lines.length === 0 || lines.length > MOST_LINES) return undefined;
  const { project } = loop.options;
  await loop.moveToForChecks(tree);
  const request = { root: workspace.root, project, evaluation, failure, lines, bench, signal: loop.signal };
  return await tracer.trace(request).catch(() => undefined);
}

function isOfTest({ severity, test_id: id }: Diagnostic): boolean {
  return severity === 'error' && id !== undefined;
}

function linesOf(patch: string): ChangedLine[] {
  return parseHunks(patch).flatMap(({ file, added, addedAt }) =>
    addedAt.flatMap((line, index) => (WITHOUT_CODE.test(added[index]!) ? [] : [{ file, line }])),
  );
}

/** A line with nothing but white space, closing brackets or a comment. */
const WITHOUT_CODE = /^\s*(?:[\])};,]*|\/\/.*|\/?\*.*)\s*$/;
