import { plural } from '../../platform/text/plural.ts';
import type { Candidate } from '../syntax/edit.ts';
import { editsLeft, mayGoOn, refute, ruleOut, scoreOf, type Search } from './search-state.ts';
import { tryFast, type FastVerdict } from '../trial/fast-trial.ts';
import type { Claim } from '../trial/verify.ts';

/** How many candidates share a process, first and then. */
export interface BatchSizes {
  readonly first: number;
  readonly later: number;
}

/** The first batch is small: most bugs fall to an edit that ranks high. */
export const SINGLES: BatchSizes = { first: 300, later: 1500 };

/**
 * Tries candidates in their order, batch by batch, and hands each batch's claims to repair the whole group to
 * `accept` until it returns something.
 */
export async function tryInTurn<T>(
  search: Search,
  candidates: Iterable<Candidate>,
  accept: (claims: readonly Claim[]) => Promise<T | undefined>,
  sizes = SINGLES,
): Promise<T | undefined> {
  let size = sizes.first;
  for (const batch of batchesOf(candidates, () => Math.min(size, editsLeft(search)))) {
    if (!mayGoOn(search)) break;
    size = sizes.later;
    const claims = await tryBatch(search, batch);
    const accepted = claims.length === 0 ? undefined : await accept(claims);
    if (accepted !== undefined) return accepted;
  }
  return undefined;
}

function* batchesOf(candidates: Iterable<Candidate>, sizeNow: () => number): Generator<Candidate[]> {
  let batch: Candidate[] = [];
  for (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < sizeNow()) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Candidates that make every failing test pass and break none of the file; what the others did is noted. */
async function tryBatch(search: Search, batch: readonly Candidate[]): Promise<Claim[]> {
  const { bounds, context, ground, group, log } = search;
  const before = log.tried === 0 ? '' : `, ${log.tried} tried`;
  context.onProgress(`trying ${batch.length} edits in ${batch[0]!.edits[0]!.file}${before}`);
  const started = performance.now();
  log.lineUp(batch);
  const { verdicts, left, failing, processes } = await tryFast(ground, batch, {
    mode: 'failing',
    deadline: bounds.deadline,
  });
  search.left.push(...left);
  log.tried += verdicts.length;
  const survivors = verdicts.filter(({ fixed }) => fixed.length > 0);
  for (const { candidate, fixed } of verdicts) if (fixed.length === 0) ruleOut(search, candidate);
  log.act({
    type: 'test_execution',
    description:
      `Tried ${verdicts.length} edits on ${failing} failing tests of ${group.file} in ${processes} processes, ` +
      `${Math.round(performance.now() - started)} ms: ${survivors.length} made at least one pass.`,
    file_path: group.file,
  });
  const broken = await breakageOf(search, survivors);
  observe(search, verdicts, broken);
  const claims = survivors
    .filter(({ candidate }) => (broken.get(candidate) ?? 0) === 0)
    .map(({ candidate, fixed }) => ({ candidate, fixed: fixed.length }));
  search.partial.push(...claims.filter(({ fixed }) => fixed < failing));
  return claims.filter(({ fixed }) => fixed >= failing);
}

/** How many passing tests of the file each survivor breaks; those that break any are refuted. */
async function breakageOf(
  search: Search,
  survivors: readonly FastVerdict[],
): Promise<ReadonlyMap<Candidate, number>> {
  if (survivors.length === 0) return new Map();
  const { ground, bounds } = search;
  const candidates = survivors.map(({ candidate }) => candidate);
  const { verdicts } = await tryFast({ ...ground, only: undefined }, candidates, {
    mode: 'all',
    deadline: bounds.deadline,
  });
  const broken = new Map(verdicts.map((verdict) => [verdict.candidate, verdict.broken.length]));
  for (const { candidate, fixed } of survivors) {
    const breaks = broken.get(candidate) ?? 0;
    if (breaks > 0) refute(search, candidate, `fixes ${plural(fixed.length, 'test')} and breaks ${breaks}`);
  }
  return broken;
}

function observe(
  search: Search,
  verdicts: readonly FastVerdict[],
  broken: ReadonlyMap<Candidate, number>,
): void {
  for (const { candidate, crashed, fixed, moved } of verdicts) {
    if (crashed) continue;
    search.observed.push({
      candidate,
      weight: candidate.prior === 0 ? 0 : scoreOf(search, candidate) / candidate.prior,
      fixed: fixed.length,
      fixedTests: fixed,
      broken: broken.get(candidate) ?? 0,
      moved,
      reached: true,
    });
  }
}
