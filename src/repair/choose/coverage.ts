import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { instrumentForTrace, keepLoading } from '../localise/trace.ts';
import { changedFunctions, changeOf, type Change } from '../refuse/change.ts';
import type { Candidate } from '../syntax/edit.ts';
import { endOf, parseSource, startOf } from '../syntax/parse.ts';
import type { Range } from '../syntax/regions.ts';
import { isLoop } from '../syntax/walk.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { runTraced } from '../trial/trace-run.ts';

/** How much of the code around a candidate's edit the tests run. */
export interface Coverage {
  /** Share of the statements that a test, or loading the modules, reaches, 0..1; 1 if there is none or the tests cannot be traced. */
  readonly reached: number;
  /** Whether a loop's body is never reached. */
  readonly hasIdleLoop: boolean;
  /** Number of tests that reach this code. */
  readonly tests: number;
}

/** Functions with more statements are large. */
const MOST_STATEMENTS = 30;
const UNKNOWN: Coverage = { reached: 1, hasIdleLoop: false, tests: 1 };

/**
 * The changed functions. If these are large, such as a wrapper around a whole module, the largest block around the first
 * edited place that is not: what the rest of them does says little about the edit.
 */
export function surroundingsOf(change: Change, statements: readonly Range[]): Range[] {
  const functions = changedFunctions(change);
  const count = (outer: Range): number => statements.filter((inner) => contains(outer, inner)).length;
  if (functions.reduce((sum, outer) => sum + count(outer), 0) <= MOST_STATEMENTS) return functions;
  const blocks = change.sitesAfter
    .map(({ node }) => ({ start: startOf(node), end: endOf(node), type: node.type }))
    .filter((block) => block.type === 'BlockStatement' && contains(block, change.added[0]!));
  const block = blocks.find((outer) => count(outer) <= MOST_STATEMENTS) ?? blocks.at(-1);
  return block === undefined ? functions : [block];
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Runs the test file once on the text that a candidate makes, and counts the statements that it reaches. */
export async function coverageOf(target: TrialTarget, candidate: Candidate): Promise<Coverage> {
  const { file } = candidate.edits[0]!;
  const parsed = parseSource(file, await readTreeText(join(target.context.root, file)));
  const change = 'problem' in parsed ? undefined : changeOf(parsed, candidate);
  if (change === undefined) return UNKNOWN;
  const traced = instrumentForTrace(change.after, 0, [keepLoading(change.after)]);
  const surroundings = surroundingsOf(change, traced.statements);
  const isInside = (range: Range): boolean => surroundings.some((outer) => contains(outer, range));
  const own = traced.statements.filter(isInside);
  const run = own.length === 0 ? undefined : await runTraced(target, new Map([[file, traced.text]]));
  if (run === undefined || run.tests.length === 0) return UNKNOWN;
  const hits = new Set([...run.loading, ...run.tests.flatMap((test) => test.hits)]);
  const ids = new Set(own.map(({ id }) => id));
  // Code that runs while modules load makes values for every test.
  const isLoaded = run.loading.some((id) => ids.has(id));
  const reaching = run.tests.filter((test) => isLoaded || test.hits.some((id) => ids.has(id)));
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
    tests: reaching.length,
  };
}
