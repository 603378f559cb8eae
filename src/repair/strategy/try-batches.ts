import { plural } from '../../platform/text/plural.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import type { Candidate } from '../syntax/edit.ts';
import { tryFast } from '../trial/fast-trial.ts';
import type { FastVerdict } from '../trial/trial-ledger.ts';
import { refuseAnswers } from './refuse-answers.ts';
import {
  editsLeft,
  mayContinue,
  ruleOut,
  ruleOutNearest,
  scoreOf,
  type BoundedSearch,
} from './group-search.ts';

/** Number of candidates that share a process, in the first batch and in the later ones. */
export interface BatchSizes {
  readonly first: number;
  readonly later: number;
}

/** Batch sizes for single edits. The first batch is small: an edit that ranks high repairs most bugs. */
export const SINGLES: BatchSizes = { first: 300, later: 1500 };

/** Batches that may still show which of the edits withheld so far is the intended one. */
const BATCHES_AFTER_WITHHOLDING = 1;

/**
 * Tries candidates in order, batch by batch, and passes each batch's claims to fix every failing test of the group to
 * `accept` until it returns a result.
 */
export async function tryBatches<T>(
  search: BoundedSearch,
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  accept: (claims: readonly Claim[]) => Promise<T | undefined>,
  sizes = SINGLES,
): Promise<T | undefined> {
  let size = sizes.first;
  let withheldFor = 0;
  for await (const batch of batchesOf(candidates, () => Math.min(size, editsLeft(search)))) {
    if (!mayContinue(search) || withheldFor > BATCHES_AFTER_WITHHOLDING) break;
    size = sizes.later;
    const claims = await tryBatch(search, batch);
    if (claims === undefined) break;
    const accepted = claims.length === 0 ? undefined : await accept(claims);
    if (accepted !== undefined) return accepted;
    if (search.withheld.length > 0 || search.deferred.length > 0) withheldFor++;
  }
  return undefined;
}

async function* batchesOf(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  currentSize: () => number,
): AsyncGenerator<Candidate[]> {
  let batch: Candidate[] = [];
  for await (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < currentSize()) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Candidates that fix every failing test and break no test of the file. Records the results of all others. Undefined if
 * the file does not run with many candidates at all, or none of its failing tests does: these may start a program that is
 * told nothing of the candidates.
 */
async function tryBatch(search: BoundedSearch, batch: readonly Candidate[]): Promise<Claim[] | undefined> {
  const { bounds, context, group, log, target } = search;
  const before = log.tried === 0 ? '' : `, ${log.tried} tried`;
  const edits = plural(batch.length, 'edit');
  context.onProgress(`trying ${edits} in ${batch[0]!.edits[0]!.file}${before}`);
  const started = performance.now();
  log.addToOrder(batch);
  const { verdicts, left, failing, processes, isUnusable } = await tryFast(target, batch, {
    mode: 'failing',
    deadline: bounds.deadline,
  });
  search.left.push(...left);
  const isBlind = failing === 0 && left.length === batch.length;
  if (isUnusable === true || isBlind) {
    log.addReason(`${group.file} cannot run many edits in one process: each gets a process of its own.`);
    return undefined;
  }
  log.tried += verdicts.length;
  const survivors = verdicts.filter(({ fixed }) => fixed.length > 0);
  for (const { candidate, fixed } of verdicts) if (fixed.length === 0) ruleOut(search, candidate);
  log.addAction({
    type: 'test_execution',
    description:
      `Tried ${plural(verdicts.length, 'edit')} on ${plural(failing, 'failing test')} of ${group.file} in ` +
      `${plural(processes, 'process', 'processes')}, ${Math.round(performance.now() - started)} ms: ` +
      `${survivors.length} made at least one pass.`,
    file_path: group.file,
  });
  const broken = await countBroken(search, survivors);
  observe(search, verdicts, broken);
  const passing = survivors
    .filter(({ candidate }) => (broken.get(candidate) ?? 0) === 0)
    .map(({ candidate, fixed }) => ({ candidate, fixed: fixed.length }));
  const claims = await refuseAnswers(search, passing);
  search.partial.push(...claims.filter(({ fixed }) => fixed < failing));
  return claims.filter(({ fixed }) => fixed >= failing);
}

/** Number of passing tests of the file that each survivor breaks; rules out those that break any. */
async function countBroken(
  search: BoundedSearch,
  survivors: readonly FastVerdict[],
): Promise<ReadonlyMap<Candidate, number>> {
  if (survivors.length === 0) return new Map();
  const { target, bounds } = search;
  const candidates = survivors.map(({ candidate }) => candidate);
  const { verdicts } = await tryFast({ ...target, only: undefined }, candidates, {
    mode: 'all',
    deadline: bounds.deadline,
  });
  const broken = new Map(verdicts.map((verdict) => [verdict.candidate, verdict.broken.length]));
  for (const { candidate, fixed } of survivors) {
    const breaks = broken.get(candidate) ?? 0;
    if (breaks === 0) continue;
    ruleOutNearest(search, candidate, `fixes ${plural(fixed.length, 'test')} and breaks ${breaks}`);
  }
  return broken;
}

function observe(
  search: BoundedSearch,
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
