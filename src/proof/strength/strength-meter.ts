import { createBench } from '../../checks/bench.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { messageOf } from '../../errors.ts';
import type { StrengthMeter } from '../../ports.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { ProofStrength } from '../../schema/generated.ts';
import { addedConditions } from './added-conditions.ts';
import { addedParts } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import { changedSources } from './changed-sources.ts';
import { coveringCommands, coveringTests } from './covering-tests.ts';
import { exchangedStatements } from './exchanged-statements.ts';
import { findExecuted } from './executed-lines.ts';
import { catchFast } from './fast-mutants.ts';
import { isHeldElsewhere } from './held-elsewhere.ts';
import { isHarmless, isRepeated } from './harmless-blocks.ts';
import { lostCalls } from './lost-calls.ts';
import { proposeMutants, type Mutant } from './mutants.ts';
import { removedItems } from './removed-items.ts';
import { revertedBlocks, type RevertedBlock } from './reverted-blocks.ts';
import { limitByDuration, notices, noticesEdits, type Noticed, type Runs } from './tried-run.ts';

const MAX_MUTANTS = 40;
const MAX_SHOWN = 200;

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
      const end = started + request.timeoutMs;
      const measured = await measure(options, request, end).catch((error: unknown) =>
        nothing(`The strength could not be measured: ${messageOf(error)}`),
      );
      const strength = { ...measured, duration_ms: Math.round(performance.now() - started) };
      if (request.beside === undefined) return strength;
      const { needlessFiles } = await import('./needless-files.ts');
      const files = await needlessFiles(options, request, request.beside).catch(() => []);
      return { ...strength, unneeded: [...strength.unneeded, ...files] };
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
  return tryAll(options, runs, sources);
}

/** Mutants and blocks that are known to be noticed, and the lines that no test runs. */
interface Work {
  readonly mutants: readonly Mutant[];
  readonly blocks: readonly RevertedBlock[];
  readonly caught: ReadonlySet<Mutant | RevertedBlock>;
  /** The one that no test notices in a process of its own, if that is known. */
  readonly missed?: Mutant | RevertedBlock | undefined;
  readonly unexecuted: ReadonlyMap<string, readonly number[]>;
}

async function tryAll(
  options: CheckSettings,
  runs: Runs,
  sources: readonly ChangedSource[],
): Promise<ProofStrength> {
  const work = await shareProcesses(runs, sources);
  if (work === undefined)
    return nothing(
      'The tests that cover the change did not pass again by themselves, so no mutant was tried.',
    );
  const strength = { ...nothing(''), complete: true };
  delete strength.reason;
  for (const [file, lines] of work.unexecuted)
    strength.unexecuted.push(...lines.map((line) => ({ file, line })));
  const measured = await tryLeft(options, runs, work, strength);
  return measured.tried === 0 ? { ...measured, reason: whyNoneTried(measured) } : measured;
}

/**
 * The result of shared processes. Undefined if the covering tests do not pass by themselves. A caught mutant shows that its line
 * runs, and a shared process compares with a run without mutants: no other run is needed if each line has one and at most
 * one mutant is left, which no test notices.
 */
async function shareProcesses(runs: Runs, sources: readonly ChangedSource[]): Promise<Work | undefined> {
  const limit = runs.request.onlyBlocks === true ? 0 : MAX_MUTANTS;
  const mutants = proposeMutants(sources, { limit, unexecuted: new Map() });
  const { isActing: isActingCode } = runs.request;
  const parts = isActingCode === undefined ? [] : addedParts(sources, isActingCode);
  const conditions = addedConditions(sources).filter(({ candidate: { signature } }) =>
    parts.every((it) => it.candidate.signature !== signature),
  );
  const reverted = [...revertedBlocks(sources), ...removedItems(sources)];
  const within = [...exchangedStatements(sources), ...lostCalls(sources)];
  const blocks = [...reverted, ...within, ...parts, ...conditions];
  runs.request.onProgress(`${mutants.length} mutants of the change are tried`);
  const caught = await catchFast<Mutant | RevertedBlock>(runs, [...mutants, ...blocks]);
  const left = [...mutants, ...blocks].filter((it) => !caught.has(it));
  if (left.length <= 1 && sources.every((source) => isHeld(source, caught))) {
    const [last] = left;
    const work = { mutants, blocks, caught, unexecuted: new Map() };
    if (last === undefined) return work;
    // Tests that pass with it pass by themselves as well.
    limitByDuration(runs);
    const noticed = await noticesEdits(runs, last.source, last.candidate.edits);
    if (noticed !== 'yes') return noticed === 'no' ? { ...work, missed: last } : work;
    runs.limits.clear();
    caught.add(last);
  }
  const { noticed, unexecuted } = await findExecuted(runs, sources);
  if (noticed !== 'no') runs.limits.clear();
  if (noticed !== 'no' && (await notices(runs, new Map())) !== 'no') return undefined;
  if (unexecuted.size === 0) return { mutants, blocks, caught, unexecuted };
  const known = new Map(mutants.map((mutant) => [mutant.candidate.signature, mutant]));
  const executed = proposeMutants(sources, { limit, unexecuted }).map(
    (mutant) => known.get(mutant.candidate.signature) ?? mutant,
  );
  const fresh = executed.filter((mutant) => !mutants.includes(mutant));
  const more = fresh.length === 0 ? [] : await catchFast<Mutant>(runs, fresh);
  return { mutants: executed, blocks, caught: new Set([...caught, ...more]), unexecuted };
}

/** Whether each changed line has a caught mutant, or is a changed block that is missed if it is put back. */
function isHeld({ file, codeLines }: ChangedSource, caught: ReadonlySet<Mutant | RevertedBlock>): boolean {
  const held = [...caught].flatMap((it): { file: string; line: number }[] => {
    if (!('block' in it)) return [it];
    return it.block.lines === 1 ? [it.block] : [];
  });
  return codeLines.every((line) => held.some((it) => it.file === file && it.line === line));
}

/** First the changed blocks, then one mutant of each line, then the others: the time may end at any moment. */
async function tryLeft(
  options: CheckSettings,
  runs: Runs,
  { mutants, blocks, caught, missed }: Work,
  strength: ProofStrength,
): Promise<ProofStrength> {
  strength.tried = strength.caught = mutants.filter((mutant) => caught.has(mutant)).length;
  const left = mutants.filter((mutant) => !caught.has(mutant));
  const isFirst = ({ file, line }: Mutant, at: number): boolean =>
    left.findIndex((other) => other.file === file && other.line === line) === at;
  const first = left.filter(isFirst);
  const further = left.filter((mutant) => !first.includes(mutant));
  const own = { ...runs, missed, options };
  const complete =
    (await putBack(own, blocks, caught, strength)) &&
    (await tryAlone(own, first, strength)) &&
    (await tryAlone(own, further, strength));
  return { ...strength, complete };
}

function whyNoneTried({ complete, unexecuted }: ProofStrength): string {
  if (unexecuted.length > 0) return 'No test and no command executes the changed lines.';
  return complete
    ? 'Nothing in the changed lines can be varied.'
    : 'The time was up before the first mutant.';
}

interface LeftRuns extends Runs {
  readonly options: CheckSettings;
  readonly missed: Work['missed'];
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

/**
 * False if the time ended first. Blocks that change nothing which was there before, and those which repeat one that is needed,
 * may stay.
 */
async function putBack(
  runs: LeftRuns,
  blocks: readonly RevertedBlock[],
  caught: Work['caught'],
  strength: ProofStrength,
): Promise<boolean> {
  const needed = blocks.filter((block) => caught.has(block));
  const unneeded: RevertedBlock[] = [];
  for (const reverted of blocks) {
    if (caught.has(reverted) || unneeded.some((it) => isWithin(reverted, it))) continue;
    if (reverted.added === undefined && isHarmless(reverted) && !isActing(runs, reverted)) continue;
    let noticed = await isNoticed(runs, reverted);
    if (noticed === 'no') noticed = await isHeldElsewhere(runs.options, runs, reverted);
    if (noticed === 'over') return false;
    (noticed === 'yes' ? needed : unneeded).push(reverted);
  }
  const whole = needed.filter(({ added }) => added === undefined);
  for (const reverted of unneeded) {
    const { file, line, lines } = reverted.block;
    const removed = reverted.removed?.slice(0, MAX_SHOWN);
    const added = reverted.added?.slice(0, MAX_SHOWN);
    if (reverted.added !== undefined || !isRepeated(reverted, whole))
      strength.unneeded.push({ file, line, lines, ...(removed && { removed }), ...(added && { added }) });
  }
  return true;
}

/** Whether the caller wants a declaration to be needed that needs no test otherwise. */
function isActing({ request }: Runs, { source, block }: RevertedBlock): boolean {
  const { file, line, lines } = block;
  return request.isActing?.(file, source.parsed.text, { first: line, last: line + lines - 1 }) === true;
}

function isWithin({ source, edit }: RevertedBlock, other: RevertedBlock): boolean {
  return source === other.source && other.edit.start <= edit.start && edit.end <= other.edit.end;
}

async function isNoticed(runs: LeftRuns, edited: Mutant | RevertedBlock): Promise<Noticed> {
  return runs.missed === edited ? 'no' : noticesEdits(runs, edited.source, edited.candidate.edits);
}

function nothing(reason: string): ProofStrength {
  return {
    ...{ tried: 0, caught: 0, survivors: [], unexecuted: [], unneeded: [] },
    ...{ complete: false, reason: reason.slice(0, 500), duration_ms: 0 },
  };
}
