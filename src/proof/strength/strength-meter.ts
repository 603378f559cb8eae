import { createBench } from '../../checks/bench.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { messageOf } from '../../errors.ts';
import type { StrengthMeter, StrengthRequest } from '../../ports.ts';
import type { ProofStrength } from '../../schema/generated.ts';
import { changedSources, changesCode, revertOf, type ChangedSource } from './changed-source.ts';
import { coveringCommands, coveringTests } from './covering-tests.ts';
import { findExecuted } from './executed-lines.ts';
import { catchFast } from './fast-mutants.ts';
import { proposeMutants, type Mutant } from './mutants.ts';
import { notices, noticesEdits, type Runs } from './tried-run.ts';

const MAX_MUTANTS = 40;

/**
 * Measures how well the tests hold a change. Many mutants share a process of the nearest test files; each that no test
 * catches there runs the covering test files in processes of its own, and so does each changed block put back. A mutant
 * is caught if a test fails, hangs or is missing, or if a command of a criterion fails. Type checkers and linters are not asked: they do not show that a
 * behaviour is tested.
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
  const files = sources.map(({ file }) => file);
  const covering = [...coveringTests(options, request, files), ...coveringCommands(options, request)];
  if (covering.length === 0) return nothing('No test and no command covers the change.');
  const bench = createBench({ ...options, root: request.root });
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs))),
  ]);
  const runs: Runs = { request, bench, covering, end, signal, limits: new Map() };
  const { noticed, unexecuted } = await findExecuted(runs, sources);
  if (noticed !== 'no') runs.limits.clear();
  if (noticed !== 'no' && (await notices(runs, new Map())) !== 'no')
    return nothing(
      'The tests that cover the change did not pass again by themselves, so no mutant was tried.',
    );
  const strength = { ...nothing(''), complete: true };
  delete strength.reason;
  for (const [file, lines] of unexecuted) strength.unexecuted.push(...lines.map((line) => ({ file, line })));
  return await tryAll(runs, { sources, unexecuted, strength });
}

interface Work {
  readonly sources: readonly ChangedSource[];
  readonly unexecuted: ReadonlyMap<string, readonly number[]>;
  readonly strength: ProofStrength;
}

/** First one mutant of each line, then the changed blocks, then the other mutants: the time may end at any moment. */
async function tryAll(runs: Runs, { sources, unexecuted, strength }: Work): Promise<ProofStrength> {
  const mutants = proposeMutants(sources, { limit: MAX_MUTANTS, unexecuted });
  runs.request.onProgress(`${mutants.length} mutants of the change are tried`);
  const caught = await catchFast(runs, mutants);
  strength.tried = strength.caught = caught.size;
  const left = mutants.filter((mutant) => !caught.has(mutant));
  const isFirst = ({ file, line }: Mutant, at: number): boolean =>
    left.findIndex((other) => other.file === file && other.line === line) === at;
  const first = left.filter(isFirst);
  const further = left.filter((mutant) => !first.includes(mutant));
  const complete =
    (await tryAlone(runs, first, strength)) &&
    (await revertBlocks(runs, sources, strength)) &&
    (await tryAlone(runs, further, strength));
  const measured = { ...strength, complete };
  return measured.tried === 0 ? { ...measured, reason: whyNoneTried(measured) } : measured;
}

function whyNoneTried({ complete, unexecuted }: ProofStrength): string {
  if (unexecuted.length > 0) return 'No test and no command executes the changed lines.';
  return complete
    ? 'Nothing in the changed lines can be varied.'
    : 'The time was up before the first mutant.';
}

/** False if the time ended first. */
async function tryAlone(runs: Runs, mutants: readonly Mutant[], strength: ProofStrength): Promise<boolean> {
  for (const { candidate, source, file, line, before, after } of mutants) {
    const noticed = await noticesEdits(runs, source, candidate.edits);
    if (noticed === 'over') return false;
    strength.tried++;
    if (noticed === 'yes') strength.caught++;
    else strength.survivors.push({ file, line, before, after });
    runs.request.onProgress(`${strength.tried} mutants of the change tried`);
  }
  return true;
}

/** False if the time ended first. */
async function revertBlocks(
  runs: Runs,
  sources: readonly ChangedSource[],
  strength: ProofStrength,
): Promise<boolean> {
  for (const source of sources) {
    for (const block of source.blocks) {
      const edits = [revertOf(source, block)];
      if (!changesCode(source.parsed, edits)) continue;
      const noticed = await noticesEdits(runs, source, edits);
      if (noticed === 'over') return false;
      const { file, line, lines } = block;
      if (noticed === 'no') strength.unneeded.push({ file, line, lines });
    }
  }
  return true;
}

function nothing(reason: string): ProofStrength {
  return {
    ...{ tried: 0, caught: 0, survivors: [], unexecuted: [], unneeded: [] },
    ...{ complete: false, reason: reason.slice(0, 500), duration_ms: 0 },
  };
}
