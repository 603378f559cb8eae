import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { bestPairs, type NumberedPair } from './best-pairs.ts';
import { areFar, combine, joinedKey, mergeEdits } from './combination.ts';
import { evidenceOf, type Observation, suggestedGroups } from './evidence.ts';
import { placeOf } from './places.ts';
import { relatedGroups } from './relations.ts';
import { createSiteIndex } from './site-index.ts';
import { createCombinationCheck } from './soundness.ts';

/** A request for pairs of edits in one file. */
export interface PairRequest {
  /** Relative to the repository's root; the extension determines the language. */
  readonly file: string;
  /** The text that the candidates' offsets refer to. */
  readonly text: string;
  /** Single edits that were tried; those of other files are ignored. */
  readonly tried: readonly Observation[];
  /** Signatures that are not proposed. */
  readonly exclude?: ReadonlySet<string>;
  /** Largest number of pairs; 20,000 if absent. */
  readonly limit?: number;
}

/** Factor for the prior of a pair: two edits at once are less natural than the product of their priors says. */
const SHARE = 0.25;
const LIMIT = 20_000;
/** Pairs examined for each pair of the limit: many overlap, do not parse or are duplicates. */
const EXAMINED_PER_PAIR = 20;
const LEAST_LIMIT = 500;

/**
 * Pairs of edits, most promising first, generated on demand: edits that fix different tests, then edits that fix some
 * tests and break others with edits of the same function, then related edits that changed how a test fails, then the
 * most natural edits in the most suspicious places. Every result parses, none is a duplicate of another pair, and none
 * equals the result of a single edit whose changes are near each other.
 */
export function* proposePairs(request: PairRequest): Generator<Candidate, void> {
  const { file, text, exclude, limit = LIMIT } = request;
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return;
  const siteAt = createSiteIndex(parsed);
  const isSound = createCombinationCheck(parsed, siteAt);
  const tried = request.tried.filter(({ candidate }) => candidate.edits[0]!.file === file);
  const keys = new Map(tried.map(({ candidate }) => [candidate, joinedKey(text, candidate.edits)]));
  const known = new Set(keys.values());
  let proposed = 0;
  let examined = 0;
  for (const { first, second, score } of orderedPairs(request, tried, siteAt)) {
    if (proposed >= limit || examined++ >= Math.max(limit, LEAST_LIMIT) * EXAMINED_PER_PAIR) return;
    const [a, b] = [tried[first]!, tried[second]!];
    const parts = inOrder(a.candidate, b.candidate);
    const edits = mergeEdits(parts);
    if (edits === undefined) continue;
    const key = areFar(parts[0].edits, parts[1].edits)
      ? `${keys.get(parts[0])}\n${keys.get(parts[1])}`
      : joinedKey(text, edits);
    if (key === undefined || known.has(key)) continue;
    known.add(key);
    if (!isSound(parts, edits)) continue;
    const odds = (SHARE * score) / (a.weight * b.weight);
    const prior = odds / (1 + odds);
    const pair = combine({ parts, operator: 'pair', prior }, edits);
    if (exclude?.has(pair.signature) === true) continue;
    proposed++;
    yield pair;
  }
}

function inOrder(a: Candidate, b: Candidate): [Candidate, Candidate] {
  return a.edits[0]!.start <= b.edits[0]!.start ? [a, b] : [b, a];
}

function orderedPairs(
  { text }: PairRequest,
  tried: readonly Observation[],
  siteAt: ReturnType<typeof createSiteIndex>,
): Iterable<NumberedPair> {
  const most = Math.max(1, ...tried.map(({ fixed }) => fixed));
  const weights = tried.map(
    (observed) => observed.candidate.prior * observed.weight * evidenceOf(observed, most),
  );
  const order = [...tried.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  const singles = tried.map((observed) => ({
    observed,
    operator: observed.candidate.operator,
    place: placeOf(observed.candidate, siteAt, text),
  }));
  return bestPairs(weights, [...suggestedGroups(singles, order), ...relatedGroups(singles, order)]);
}
