import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { instrumentForTrace } from '../localise/trace.ts';
import { changedFunctions, changeOf } from '../refuse/change.ts';
import type { Candidate } from '../syntax/edit.ts';
import { endOf, parseSource, startOf } from '../syntax/parse.ts';
import type { Range } from '../syntax/regions.ts';
import { isLoop } from '../syntax/walk.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { runTraced } from '../trial/trace-run.ts';

/** How much of the functions that a candidate changes the tests run. */
export interface Coverage {
  /** Share of the statements that a test reaches, 0..1; 1 if there is none or the tests cannot be traced. */
  readonly reached: number;
  /** Whether a loop's body is never reached. */
  readonly hasIdleLoop: boolean;
  /** Number of tests that reach these functions. */
  readonly tests: number;
}

const UNKNOWN: Coverage = { reached: 1, hasIdleLoop: false, tests: 1 };

/** Runs the test file once on the text that a candidate makes, and counts the statements that it reaches. */
export async function coverageOf(target: TrialTarget, candidate: Candidate): Promise<Coverage> {
  const { file } = candidate.edits[0]!;
  const parsed = parseSource(file, await readFile(join(target.context.root, file), 'utf8'));
  const change = 'problem' in parsed ? undefined : changeOf(parsed, candidate);
  if (change === undefined) return UNKNOWN;
  const changed = changedFunctions(change);
  const isInside = (range: Range): boolean =>
    changed.some(({ start, end }) => start <= range.start && range.end <= end);
  const traced = instrumentForTrace(change.after, 0);
  const own = traced.statements.filter(isInside);
  const run = own.length === 0 ? undefined : await runTraced(target, new Map([[file, traced.text]]));
  if (run === undefined) return UNKNOWN;
  const hits = new Set(run.tests.flatMap((test) => test.hits));
  const ids = new Set(own.map(({ id }) => id));
  const loops = change.sitesAfter
    .map(({ node }) => node)
    .filter((node) => isLoop(node) && isInside({ start: startOf(node), end: endOf(node) }));
  const isIdle = (loop: (typeof loops)[number]): boolean => {
    const { body } = loop as { body?: { start?: number | null; end?: number | null } };
    const inner = own.filter(({ start, end }) => body!.start! <= start && end <= body!.end!);
    return inner.length > 0 && !inner.some(({ id }) => hits.has(id));
  };
  return {
    reached: own.filter(({ id }) => hits.has(id)).length / own.length,
    hasIdleLoop: loops.some(isIdle),
    tests: run.tests.filter((test) => [...test.hits].some((id) => ids.has(id))).length,
  };
}
