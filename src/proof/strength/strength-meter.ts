import { createBench } from '../../checks/bench.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { messageOf } from '../../errors.ts';
import type { Bench, CheckPlan, StrengthMeter, StrengthRequest } from '../../ports.ts';
import { applyEdits, type Edit } from '../../repair/syntax/edit.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { ProofStrength } from '../../schema/generated.ts';
import { changedSources, changesCode, revertOf, type ChangedSource } from './changed-source.ts';
import { coveringTests, type CoveringTests } from './covering-tests.ts';
import { proposeMutants } from './mutants.ts';

const MAX_MUTANTS = 120;
/** A run with an edit may take this many times as long as the run without. */
const SLOWER = 4;
const LEAST_RUN_MS = 3000;

/**
 * Measures how well the tests hold a change. Each mutant, and each changed block put back, runs the test files that
 * may reach it in a process of its own; it is noticed if a test fails, hangs or is missing. Type checkers and linters
 * are not asked: they do not show that a behaviour is tested.
 */
export function createStrengthMeter(options: CheckSettings): StrengthMeter {
  return {
    async measure(request) {
      const started = performance.now();
      const end = started + request.timeoutMs;
      const strength = await measure(options, request, end).catch((error: unknown) =>
        nothing(`The strength could not be measured: ${messageOf(error)}`),
      );
      return { ...strength, duration_ms: Math.round(performance.now() - started) };
    },
  };
}

async function measure(
  options: CheckSettings,
  request: StrengthRequest,
  end: number,
): Promise<ProofStrength> {
  const sources = changedSources(request);
  if (sources.every(({ codeLines, blocks }) => codeLines.length + blocks.length === 0))
    return nothing('The change touches no product code.');
  const bench = createBench({ ...options, root: request.root });
  const covering = coveringTests(
    options,
    request,
    sources.map(({ file }) => file),
  );
  if (covering.length === 0) return nothing('No test runner reports which test files cover the change.');
  const runs: Runs = { request, bench, covering, end, limits: new Map() };
  const control = await isNoticed(runs, undefined);
  if (control !== false)
    return nothing('The tests that cover the change did not pass on it alone within the time.');
  return await tryAll(runs, sources);
}

async function tryAll(runs: Runs, sources: readonly ChangedSource[]): Promise<ProofStrength> {
  const mutants = proposeMutants(sources, MAX_MUTANTS);
  const strength = { ...nothing(''), complete: true };
  delete strength.reason;
  for (const { candidate, source, file, line, before, after } of mutants) {
    const noticed = await isNoticed(runs, { source, edits: candidate.edits });
    if (noticed === undefined) return { ...strength, complete: false };
    strength.tried++;
    if (noticed) strength.caught++;
    else strength.survivors.push({ file, line, before, after });
    runs.request.onProgress(`${strength.tried} of ${mutants.length} mutants of the change tried`);
  }
  for (const source of sources) {
    for (const block of source.blocks) {
      const edits = [revertOf(source, block)];
      if (!changesCode(source.parsed, edits)) continue;
      const noticed = await isNoticed(runs, { source, edits });
      if (noticed === undefined) return { ...strength, complete: false };
      const { file, line, lines } = block;
      if (!noticed) strength.unneeded.push({ file, line, lines });
    }
  }
  return strength;
}

interface Runs {
  readonly request: StrengthRequest;
  readonly bench: Bench;
  readonly covering: readonly CoveringTests[];
  /** `performance.now()` at which the time is over. */
  readonly end: number;
  /** Time limit of one run with an edit, by check; set by the run without one. */
  readonly limits: Map<CheckPlan, number>;
}

interface EditedSource {
  readonly source: ChangedSource;
  readonly edits: readonly Edit[];
}

/** Whether a test notices the edit; undefined if the time ended first. The file is restored. */
async function isNoticed(runs: Runs, edited: EditedSource | undefined): Promise<boolean | undefined> {
  const texts = new Map<string, string>();
  if (edited !== undefined)
    texts.set(edited.source.file, applyEdits(edited.source.parsed.text, edited.edits));
  return await withTexts(runs.request.root, texts, async () => {
    for (const covering of runs.covering) {
      const noticed = await fails(runs, covering);
      if (noticed !== false) return noticed;
    }
    return false;
  });
}

async function fails(runs: Runs, { check, files, passing }: CoveringTests): Promise<boolean | undefined> {
  const { request, bench, limits } = runs;
  const left = runs.end - performance.now();
  const limit = limits.get(check) ?? left;
  if (left <= 0 || request.signal.aborted) return undefined;
  const started = performance.now();
  const { tests } = await bench.run(check.name, {
    files,
    timeoutMs: Math.max(1, Math.min(left, limit)),
    signal: request.signal,
  });
  const isOver = request.signal.aborted || performance.now() >= runs.end;
  if (!limits.has(check)) limits.set(check, Math.max(LEAST_RUN_MS, (performance.now() - started) * SLOWER));
  const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  // A test that fails before the time ends is noticed; a run that was cut off shows nothing.
  if (isOver)
    return tests.some(({ id, status }) => status === 'failed' && passing.has(id)) ? true : undefined;
  return [...passing].some((id) => !passed.has(id));
}

function nothing(reason: string): ProofStrength {
  return {
    ...{ tried: 0, caught: 0, survivors: [], unexecuted: [], unneeded: [] },
    ...{ complete: false, reason: reason.slice(0, 500), duration_ms: 0 },
  };
}
