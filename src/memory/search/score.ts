import { FIELDS, type Phrase } from './terms.ts';

/** Of BM25: how soon more of a word counts no more, and how much long texts are held back. */
const [K1, B] = [1.2, 0.75];
/** Of what does not tell records apart, beside what does; nothing may count against a record. */
const LEAST_IDF = 1e-6;
/** Scores are whole multiples of this: sums that differ in their last bit alone are equal. */
const STEPS = 1e12;
/** Of so many records, what a large share of them says is not worth the time that scoring them takes. */
export const VERY_MANY = 1000;
/** Of all records, from which on it is one. */
export const LARGE_SHARE = 0.25;
const WEIGHTS = Object.values(FIELDS);

/**
 * BM25 (Robertson and Zaragoza, 2009) over weighted fields, as SQLite's FTS5 computes it: for each record, given as
 * its terms by field, the score of all phrases together, or undefined where one of them does not occur. The records
 * are the whole store: what is rare is rare in all of it. Where `tellsApart` holds for none of the phrases, every
 * score is 0.
 */
export function scoresOf(
  records: readonly (readonly (readonly string[])[])[],
  phrases: readonly Phrase[],
): (number | undefined)[] {
  const lengths = records.map((fields) => fields.reduce((sum, terms) => sum + terms.length, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / records.length;
  const found = phrases.map((phrase) => {
    const weights = records.map((fields) => weightIn(fields, phrase));
    return { weights, having: weights.filter((weight) => weight > 0).length };
  });
  const isRanked = found.some(({ having }) => tellsApart(having, records.length));
  const scores: (number | undefined)[] = records.map(() => 0);
  for (const { weights, having } of found) {
    const idf = idfOf(records.length, having);
    weights.forEach((weight, index) => {
      const score = scores[index];
      const norm = weight + K1 * (1 - B + (B * lengths[index]!) / mean);
      scores[index] =
        weight === 0 || score === undefined ? undefined : score + idf * ((weight * (K1 + 1)) / norm);
    });
  }
  return scores.map((score) => {
    if (score === undefined) return undefined;
    return isRanked ? Math.floor(score * STEPS + 0.5) / STEPS : 0;
  });
}

/** False for what very many records have, and at least a quarter of all: it says little of one of them. */
export function tellsApart(having: number, all: number): boolean {
  return having < VERY_MANY || having < all * LARGE_SHARE;
}

/** The same score out of the index: an SQL expression over FTS5's `bm25`, in steps. */
export const SCORE_SQL = `CAST(-bm25(words, ${WEIGHTS.join(', ')}) * 1e12 + 0.5 AS INTEGER)`;

/** Of what `SCORE_SQL` gives. */
export function scoreOfSteps(steps: number): number {
  return steps / STEPS;
}

function idfOf(all: number, having: number): number {
  return Math.max(LEAST_IDF, Math.log((all - having + 0.5) / (having + 0.5)));
}

function weightIn(fields: readonly (readonly string[])[], phrase: Phrase): number {
  return fields.reduce((sum, terms, index) => sum + WEIGHTS[index]! * countIn(terms, phrase), 0);
}

function countIn(terms: readonly string[], { terms: wanted, begins }: Phrase): number {
  const last = wanted.length - 1;
  const holds = (start: number): boolean =>
    wanted.every((term, offset) => {
      const found = terms[start + offset] ?? '';
      return begins && offset === last ? found.startsWith(term) : found === term;
    });
  return terms.filter((_, start) => holds(start)).length;
}
