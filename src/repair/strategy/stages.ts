import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import { proposePairs } from '../combine/pairs.ts';
import type { Candidate } from '../syntax/edit.ts';
import { tryCold, type ColdVerdict } from '../trial/cold-trial.ts';
import { chooseOrWithhold, choosePartial } from './choose-edit.ts';
import {
  mayContinue,
  ruleOut,
  withBounds,
  type BoundedSearch,
  type GroupSearch,
  type SearchBounds,
} from './group-search.ts';
import { areLocal } from './tests-elsewhere.ts';
import type { RankedCandidate } from './propose.ts';
import { takeTurns } from './recall-candidates.ts';
import { refuseAnswers } from './refuse-answers.ts';
import { settleWithheld } from './settle-withheld.ts';
import { SINGLES, tryBatches, type BatchSizes } from './try-batches.ts';

const MAX_COLD = 60;
const COLD_TIMEOUT_MS = 30_000;
const PAIRS: BatchSizes = { first: 1200, later: 1800 };
const MAX_PAIRS = 6000;

/** One way to search for a group's repair. Returns the confirmed edit, which is not yet applied. */
export type Stage = (search: GroupSearch, bounds: SearchBounds) => Promise<ColdVerdict | undefined>;

/** The stages of a search, in order. */
export const STAGES = {
  /** One edit, or the same edit at several places. */
  singles: (search, bounds) => trySingles(withBounds(search, bounds)),
  /** The claims of single edits that were left until every other group was searched. */
  deferred: (search, bounds) => acceptDeferred(withBounds(search, bounds)),
  /** The edits that were not sure enough, run against the whole check. */
  withheld: (search, bounds) => settleWithheld(withBounds(search, bounds)),
  /** Two edits. */
  pairs: (search, bounds) => tryPairs(withBounds(search, bounds)),
  /** The best edit that fixes only some of the failing tests. */
  partial: (search, bounds) => tryPartial(withBounds(search, bounds)),
  /** Edits that need a process of their own. */
  oneByOne: (search, bounds) => tryOneByOne(withBounds(search, bounds)),
} satisfies Readonly<Record<string, Stage>>;

/**
 * Edits that resemble earlier repairs take turns with the others in a first, small batch. Edits that an earlier attempt ruled
 * out are not tried again, but remain candidates for pairs.
 */
async function trySingles(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  const { ranked, recalled, ruledOut } = search;
  const isNew = ({ signature }: Candidate): boolean => !ruledOut.has(signature);
  const { order, head } = takeTurns(freshOf(search, ranked), recalled.filter(isNew));
  // The first batch is smaller by the head, so that a recall without success delays no other edit by a batch.
  const first = Math.max(1, SINGLES.first - head);
  const accept = (claims: readonly Claim[]): Promise<ColdVerdict | undefined> =>
    chooseOrDefer(search, claims);
  return (
    (await tryBatches(search, order.slice(0, head), accept)) ??
    (await tryBatches(search, andMore(search, order.slice(head)), accept, { ...SINGLES, first }))
  );
}

/** The candidates, then those that were not proposed at once, because few repairs need them. */
async function* andMore(search: BoundedSearch, order: readonly Candidate[]): AsyncGenerator<Candidate> {
  yield* order;
  if (!mayContinue(search)) return;
  const known = new Set(search.ranked.map(({ candidate }) => candidate.signature));
  const more = (await search.proposeMore()).filter(({ candidate }) => !known.has(candidate.signature));
  for (const { candidate, score } of more) search.scores.set(candidate, score);
  yield* freshOf(search, more);
}

/** The candidates that no earlier attempt ruled out; the others remain for pairs. */
function freshOf(search: BoundedSearch, ranked: readonly RankedCandidate[]): Candidate[] {
  for (const { candidate, score } of ranked) {
    if (!search.ruledOut.has(candidate.signature)) continue;
    const weight = candidate.prior === 0 ? 0 : score / candidate.prior;
    search.observed.push({ candidate, weight, fixed: 0, broken: 0, moved: false, reached: true });
  }
  return ranked.map(({ candidate }) => candidate).filter(({ signature }) => !search.ruledOut.has(signature));
}

/**
 * Defers claims that fix no failing test of other files by the same sources: if another group has an edit that fixes these as
 * well, that is the likelier repair.
 */
async function chooseOrDefer(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<ColdVerdict | undefined> {
  if (!(await areLocal(search, claims))) return await chooseOrWithhold(search, claims);
  search.deferred.push(...claims);
  return undefined;
}

async function acceptDeferred(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  const claims = search.deferred.splice(0);
  return claims.length === 0 ? undefined : await chooseOrWithhold(search, claims);
}

async function tryPairs(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  const { context, observed, ruledOut, scores } = search;
  // Two edits at once are less natural than the single ones that were not sure enough.
  if (search.withheld.length > 0) return undefined;
  const byFile = Map.groupBy(observed, ({ candidate }) => candidate.edits[0]!.file);
  const best = (file: string): number => Math.max(...byFile.get(file)!.map(({ weight }) => weight));
  for (const file of [...byFile.keys()].sort((a, b) => best(b) - best(a))) {
    if (!mayContinue(search)) break;
    const text = await readTreeText(join(context.root, file));
    const tried = byFile.get(file)!;
    const pairs = proposePairs({ file, text, tried, exclude: ruledOut, limit: MAX_PAIRS });
    const scored = (function* (): Generator<Candidate> {
      for (const pair of pairs) {
        scores.set(pair, pair.prior);
        yield pair;
      }
    })();
    const found = await tryBatches(search, scored, (claims) => chooseOrWithhold(search, claims), PAIRS);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tryPartial(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  return choosePartial(search, search.partial);
}

/** Each edit costs a run of the test file. */
async function tryOneByOne(search: BoundedSearch): Promise<ColdVerdict | undefined> {
  const { context, group, left, log } = search;
  const singles = left.filter(({ operator }) => operator !== 'pair').slice(0, MAX_COLD);
  for (const [index, candidate] of singles.entries()) {
    if (!mayContinue(search)) break;
    if (index === 0) context.onProgress(`trying ${plural(singles.length, 'edit')} one by one`);
    const { fixed, broken } = await tryCold(context, candidate, {
      check: group.check,
      files: [group.file],
      before: context.evaluation.tests,
      timeoutMs: COLD_TIMEOUT_MS,
      otherChecks: false,
    });
    if (context.signal.aborted) break;
    log.tried++;
    const isClaim = fixed.length > 0 && broken.length === 0;
    const claims = isClaim ? await refuseAnswers(search, [{ candidate, fixed: fixed.length }]) : [];
    const confirmed = claims.length === 0 ? undefined : await chooseOrWithhold(search, claims);
    if (confirmed !== undefined) return confirmed;
    ruleOut(search, candidate);
  }
  return undefined;
}
