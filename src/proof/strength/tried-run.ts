import type { Bench } from '../../ports.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { applyEdits, type Edit } from '../../repair/syntax/edit.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { uncheckTypes, wrapRanges } from '../../repair/syntax/wrappings.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { ChangedSource } from './changed-source.ts';
import type { CoveringTests } from './covering-tests.ts';

/** The tests and commands that cover a change, and the time in which they may run. */
export interface Runs {
  readonly request: StrengthRequest;
  readonly bench: Bench;
  readonly covering: readonly CoveringTests[];
  /** `performance.now()` at which the time is over. */
  readonly end: number;
  /** Aborts at `end`, or with the request. */
  readonly signal: AbortSignal;
  /** Time limit of one run with an edit, by check; set by the first run, which must have none, if not set before. */
  readonly limits: Map<CheckPlan, number>;
}

/** Runs that must be over at a moment of `performance.now()`. */
export function runsUntil(runs: Pick<Runs, 'request' | 'bench' | 'covering'>, end: number): Runs {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
  return { ...runs, end, signal: AbortSignal.any([runs.request.signal, timeout]), limits: new Map() };
}

/** The result of running the covering tests: `over` if the time ended before it was known. */
export type Noticed = 'yes' | 'no' | 'over';

/** A run with an edit may take this many times as long as the run without. */
const SLOWER = 4;
const LEAST_RUN_MS = 3000;

/** Sets the time limits of runs with an edit by the time that the whole checks took. */
export function limitByDuration({ request, covering, limits }: Runs): void {
  for (const { check } of covering) {
    const whole = request.evaluation.checks.find(({ name }) => name === check.name);
    if (whole !== undefined) limits.set(check, Math.max(LEAST_RUN_MS, whole.duration_ms * SLOWER));
  }
}

/**
 * Runs the covering tests in processes of their own while the files have other texts. A test that fails, hangs or is
 * missing, or a command that fails, notices it. The files are restored. `writable` are folders outside the tree that the tests may write.
 */
export async function notices(
  runs: Runs,
  texts: ReadonlyMap<string, string>,
  writable: readonly string[] = [],
): Promise<Noticed> {
  return await withTexts(runs.request.root, texts, async () => {
    for (const covering of runs.covering) {
      const noticed = await fails(runs, covering, writable);
      if (noticed !== 'no') return noticed;
    }
    return 'no';
  });
}

/** The same for edits of one file. Types are not checked in it: a build or a runner that refuses them is no test. */
export async function noticesEdits(
  runs: Runs,
  { file, parsed }: ChangedSource,
  edits: readonly Edit[],
): Promise<Noticed> {
  return await notices(runs, new Map([[file, uncheckedText(file, applyEdits(parsed.text, edits))]]));
}

/** The text of a file, in which no type checker finds anything. */
export function uncheckedText(file: string, text: string): string {
  const parsed = parseSource(file, text);
  const isUnchecked = /\.[cm]?tsx?$/.test(file) && !('problem' in parsed);
  return isUnchecked ? wrapRanges(text, [uncheckTypes(parsed)]) : text;
}

async function fails(
  { bench, end, limits, signal }: Runs,
  { check, files, passing }: CoveringTests,
  writable: readonly string[],
): Promise<Noticed> {
  const left = end - performance.now();
  if (left <= 0 || signal.aborted) return 'over';
  const started = performance.now();
  const timeoutMs = Math.max(1, Math.min(left, limits.get(check) ?? left));
  const isWhole = passing.size === 0;
  const selected = isWhole ? {} : { files };
  const { tests, status } = await bench.run(check.name, { ...selected, timeoutMs, writable, signal });
  const isOver = signal.aborted || performance.now() >= end;
  if (!limits.has(check)) limits.set(check, Math.max(LEAST_RUN_MS, (performance.now() - started) * SLOWER));
  if (isWhole) return isOver ? 'over' : status === 'pass' ? 'no' : 'yes';
  const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  // A test that fails before the time ends has noticed the edit; a run that was cut off shows nothing.
  if (isOver) return tests.some(({ id, status }) => status === 'failed' && passing.has(id)) ? 'yes' : 'over';
  return [...passing].some((id) => !passed.has(id)) ? 'yes' : 'no';
}
