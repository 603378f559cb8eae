import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { bestPairs, type NumberedPair } from './best-pairs.ts';
import { areFar, combine, joinedKey, mergeEdits } from './combination.ts';
import { evidenceOf, type Observation, suggestedGroups } from './evidence.ts';
import { placeOf } from './places.ts';
import { relatedGroups } from './relations.ts';
import { createSiteIndex } from './site-index.ts';
import { createCombinationCheck } from './soundness.ts';

/** What is asked for: pairs of edits of one file. */
export interface PairRequest {
  /** Relative to the repository's root; its extension says the language. */
  readonly file: string;
  /** The text that the candidates' offsets refer to. */
  readonly text: string;
  /** Singles of this file that were tried; those of other files are left out. */
  readonly tried: readonly Observation[];
  /** Signatures that are not proposed again. */
  readonly exclude?: ReadonlySet<string>;
  /** Most pairs to give; 20,000 when absent. */
  readonly limit?: number;
}

/** A pair is so much less natural than the product of its parts' priors says, before what the trials tell. */
const SHARE = 0.25;
const LIMIT = 20_000;
/** Pairs that are looked at for each one given: the rest overlap, do not parse or are known. */
const LOOKED_AT = 20;
const LEAST = 500;

/**
 * Two edits at once, most promising first, made one by one as they are asked for: edits that fix different tests,
 * then edits that fix and break with others of their function, then related edits that changed how a test fails,
 * then the most natural in the most suspicious places. Every text parses; none comes twice, and
 * none is that of a single whose changes are near each other.
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
  let given = 0;
  let looked = 0;
  for (const { first, second, score } of orderedPairs(request, tried, siteAt)) {
    if (given >= limit || looked++ >= Math.max(limit, LEAST) * LOOKED_AT) return;
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
    const promise = (SHARE * score) / (a.weight * b.weight);
    const prior = promise / (1 + promise);
    const pair = combine({ parts, operator: 'pair', prior }, edits);
    if (exclude?.has(pair.signature) === true) continue;
    given++;
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
