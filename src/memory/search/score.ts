import { bm25, flooredIdf } from '../text/bm25.ts';
import type { Phrase } from '../text/full-text.ts';
import { FIELDS } from './fields.ts';

/** Scores are rounded to multiples of 1/STEPS, so that sums which differ only in their last bit are equal. */
const STEPS = 1e12;
/** From this many matches on, a phrase that a large share of the records has is not ranked: scoring would be slow. */
export const MANY_MATCHES = 1000;
/** Share of all records that is large, 0..1. */
export const LARGE_SHARE = 0.25;
const WEIGHTS = Object.values(FIELDS);

/**
 * BM25 over weighted fields, equal to SQLite FTS5's: for each record, given as its terms by field, the summed score of
 * all phrases, or undefined where a phrase does not occur. `records` must be the whole store, since a phrase's weight
 * depends on how rare it is there. All scores are 0 where no phrase `isSelective`.
 */
export function scoreRecords(
  records: readonly (readonly (readonly string[])[])[],
  phrases: readonly Phrase[],
): (number | undefined)[] {
  const lengths = records.map((fields) => fields.reduce((sum, terms) => sum + terms.length, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / records.length;
  const found = phrases.map((phrase) => {
    const frequencies = records.map((fields) => weightedFrequency(fields, phrase));
    return { frequencies, having: frequencies.filter((frequency) => frequency > 0).length };
  });
  const isRanked = found.some(({ having }) => isSelective(having, records.length));
  const scores: (number | undefined)[] = records.map(() => 0);
  for (const { frequencies, having } of found) {
    const idf = flooredIdf(records.length, having);
    frequencies.forEach((frequency, index) => {
      const score = scores[index];
      scores[index] =
        frequency === 0 || score === undefined
          ? undefined
          : score + bm25(idf, frequency, { length: lengths[index]!, meanLength });
    });
  }
  return scores.map((score) => {
    if (score === undefined) return undefined;
    return isRanked ? Math.floor(score * STEPS + 0.5) / STEPS : 0;
  });
}

/** False for a phrase that at least 1,000 records and at least 25 % of all have: it no longer affects ranking. */
export function isSelective(having: number, all: number): boolean {
  return having < MANY_MATCHES || having < all * LARGE_SHARE;
}

/** SQL expression over FTS5's `bm25` that gives the score of `scoreRecords` in steps, as an integer. */
export const SCORE_SQL = `CAST(-bm25(words, ${WEIGHTS.join(', ')}) * 1e12 + 0.5 AS INTEGER)`;

/** The score for a value of `SCORE_SQL`. */
export function scoreOfSteps(steps: number): number {
  return steps / STEPS;
}

function weightedFrequency(fields: readonly (readonly string[])[], phrase: Phrase): number {
  return fields.reduce((sum, terms, index) => sum + WEIGHTS[index]! * countPhrase(terms, phrase), 0);
}

function countPhrase(terms: readonly string[], { terms: wanted, isPrefix }: Phrase): number {
  const last = wanted.length - 1;
  const matchesAt = (start: number): boolean =>
    wanted.every((term, offset) => {
      const found = terms[start + offset] ?? '';
      return isPrefix && offset === last ? found.startsWith(term) : found === term;
    });
  return terms.filter((_, start) => matchesAt(start)).length;
}
