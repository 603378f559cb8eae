import { createBench } from '../../checks/bench.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { messageOf } from '../../errors.ts';
import type { StrengthMeter } from '../../ports.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { ProofStrength } from '../../schema/generated.ts';
import { addedConditions } from './added-conditions.ts';
import { addedEffects } from './added-effects.ts';
import { addedParts } from './added-parts.ts';
import { addedQuestions } from './added-questions.ts';
import { buildInTrials } from './build-in-trials.ts';
import type { ChangedSource } from './changed-source.ts';
import { changedSources } from './changed-sources.ts';
import { coveringCommands, coveringTests } from './covering-tests.ts';
import { exchangedTypes } from './exchanged-types.ts';
import { exchangedStatements } from './exchanged-statements.ts';
import { lostCalls } from './lost-calls.ts';
import { lostCopies } from './lost-copies.ts';
import { lostZones } from './lost-zones.ts';
import type { Mutant } from './mutants.ts';
import { dueBlocks, isNoticed, putBack, type LeftRuns, type TakenBack } from './put-back.ts';
import { removedItems } from './removed-items.ts';
import { revertedBlocks, type RevertedBlock } from './reverted-blocks.ts';
import { shareProcesses, type SharedWork } from './shared-processes.ts';
import { tableDefaults } from './table-defaults.ts';
import { runsUntil, type Runs } from './tried-run.ts';
import { usedUpStores } from './used-up-stores.ts';
import { unshown, type Tried } from './unshown.ts';

/**
 * Measures how well the tests hold a change. The mutants, and the changed blocks put back, share a process of the nearest
 * test files; each that no test catches there runs the covering test files in processes of its own. A mutant is caught if
 * a test fails, hangs or is missing, or if a command of a criterion fails. Type checkers and linters are not asked: they do
 * not show that a behaviour is tested.
 */
export function createStrengthMeter(options: CheckSettings): StrengthMeter {
  return {
    async measure(request) {
      const started = performance.now();
      const trials = await buildInTrials(options, request);
      const { strength, ...tried } = await measure(trials.options, request, started).catch((error: unknown) =>
        unmeasured(messageOf(error)),
      );
      await trials.end();
      const files = await tryFiles(options, request);
      return {
        ...strength,
        unneeded: [...strength.unneeded, ...files.unneeded],
        ...unshown([tried, files]),
        duration_ms: Math.round(performance.now() - started),
      };
    },
  };
}

/** A strength, and how many of the changed blocks were tried. */
interface Measured extends Tried {
  readonly strength: ProofStrength;
}

function unmeasured(message: string): Measured {
  const reason = 'the measurement failed';
  return { strength: nothing(`The strength could not be measured: ${message}`), untried: 1, all: 1, reason };
}

/** The files beside the code that no check needs. */
async function tryFiles(options: CheckSettings, request: StrengthRequest): Promise<Tried & TakenBack> {
  const none = { unneeded: [], untried: 0, all: 0 };
  if (request.beside === undefined) return none;
  const { needlessFiles } = await import('./needless-files.ts');
  return needlessFiles(options, request, request.beside).catch(() => ({
    ...none,
    ...{ untried: 1, all: 1, reason: 'the measurement of the files beside the code failed' },
  }));
}

async function measure(options: CheckSettings, request: StrengthRequest, started: number): Promise<Measured> {
  const sources = changedSources(request);
  if (sources.every(({ codeLines, blocks }) => codeLines.length + blocks.length === 0))
    return { strength: nothing('The change touches no product code.'), untried: 0, all: 0 };
  const files = sources.map(({ file }) => file);
  const covering = [...coveringTests(options, request, files), ...coveringCommands(options, request)];
  // Where no test runs the change, nothing could decide a question.
  const blocks = blocksOf(request, sources).filter(
    ({ always }) => always === undefined || covering.length > 0,
  );
  const all = dueBlocks(request, blocks).length;
  const unknown = (told: string, reason?: string): Measured => ({
    ...{ strength: nothing(told), untried: all, all, reason },
  });
  const bench = createBench({ ...options, root: request.root });
  const { timeoutMs, blocksMs = () => timeoutMs } = request;
  const until = (ms: number): Runs => runsUntil({ request, bench, covering }, started + ms);
  const [runs, mutantRuns] = [until(Math.max(timeoutMs, blocksMs(all))), until(timeoutMs)];
  if (covering.length === 0) {
    // Another check may notice that a block is put back; that it notices nothing shows nothing.
    const { unneeded, untried } = await putBack({ ...runs, missed: undefined, options }, blocks, new Set());
    return {
      ...unknown('No test and no command covers the change.', 'no test and no command covers it'),
      untried: untried + unneeded.length,
    };
  }
  const work = await shareProcesses(runs, mutantRuns, { sources, blocks });
  if (work === 'over') return unknown('The time was up before the tests had run without a mutant.');
  if (work === 'red')
    return unknown(
      'The tests that cover the change did not pass again by themselves, so no mutant was tried.',
      'the tests that cover the change did not pass again by themselves',
    );
  return tryLeft(options, runs, mutantRuns, work);
}

function blocksOf({ isActing }: StrengthRequest, sources: readonly ChangedSource[]): RevertedBlock[] {
  const parts = isActing === undefined ? [] : addedParts(sources, isActing);
  const conditions = addedConditions(sources).filter(({ candidate: { signature } }) =>
    parts.every((it) => it.candidate.signature !== signature),
  );
  const reverted = [...revertedBlocks(sources), ...removedItems(sources)];
  const within = [
    ...exchangedStatements(sources),
    ...lostCalls(sources),
    ...lostCopies(sources),
    ...lostZones(sources),
  ];
  const effects = isActing === undefined ? addedEffects(sources) : [];
  return [
    ...reverted,
    ...within,
    ...parts,
    ...effects,
    ...conditions,
    ...addedQuestions(sources),
    ...tableDefaults(sources),
    ...usedUpStores(sources),
    ...exchangedTypes(sources),
  ];
}

/** First the changed blocks, in the time of `runs`, then one mutant of each line, then the others: the time may end at any moment. */
async function tryLeft(
  options: CheckSettings,
  runs: Runs,
  mutantRuns: Runs,
  { mutants, blocks, caught, missed, unexecuted }: SharedWork,
): Promise<Measured> {
  const tried = mutants.filter((mutant) => caught.has(mutant)).length;
  const strength: ProofStrength = { ...nothing(''), tried, caught: tried };
  delete strength.reason;
  for (const [file, lines] of unexecuted) strength.unexecuted.push(...lines.map((line) => ({ file, line })));
  const left = mutants.filter((mutant) => !caught.has(mutant));
  const isFirst = ({ file, line }: Mutant, at: number): boolean =>
    left.findIndex((other) => other.file === file && other.line === line) === at;
  const first = left.filter(isFirst);
  const further = left.filter((mutant) => !first.includes(mutant));
  const { unneeded, ...found } = await putBack({ ...runs, missed, options }, blocks, caught);
  const own = { ...mutantRuns, limits: runs.limits, missed, options };
  const complete = found.untried === 0 && (await tryAlone(own, [...first, ...further], strength));
  const measured = { ...strength, unneeded: [...unneeded], complete };
  const reason = measured.tried === 0 ? { reason: whyNoneTried(measured) } : {};
  return { strength: { ...measured, ...reason }, ...found };
}

function whyNoneTried({ complete, unexecuted }: ProofStrength): string {
  if (unexecuted.length > 0) return 'No test and no command executes the changed lines.';
  return complete
    ? 'Nothing in the changed lines can be varied.'
    : 'The time was up before the first mutant.';
}

/** False if the time ended first. */
async function tryAlone(
  runs: LeftRuns,
  mutants: readonly Mutant[],
  strength: ProofStrength,
): Promise<boolean> {
  for (const mutant of mutants) {
    const { file, line, before, after } = mutant;
    const noticed = await isNoticed(runs, mutant);
    if (noticed === 'over') return false;
    strength.tried++;
    if (noticed === 'yes') strength.caught++;
    else strength.survivors.push({ file, line, before, after });
    runs.request.onProgress(`${strength.tried} mutants of the change tried`);
  }
  return true;
}

function nothing(reason: string): ProofStrength {
  return {
    ...{ tried: 0, caught: 0, survivors: [], unexecuted: [], unneeded: [] },
    ...{ complete: false, reason: reason.slice(0, 500), duration_ms: 0 },
  };
}
