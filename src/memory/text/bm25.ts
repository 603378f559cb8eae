/** How soon further occurrences of a term stop adding to a score. */
const K1 = 1.2;
/** How much longer texts are penalised, 0..1. */
const B = 0.75;
/** IDF floor, so that a common term never lowers a score. */
const IDF_FLOOR = 1e-6;

/** Lengths in terms. */
export interface TextLength {
  readonly length: number;
  /** Mean over all texts of the collection. */
  readonly meanLength: number;
}

/**
 * BM25 score of one term in one text (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009), 0 where the term does not occur. `frequency`: occurrences, weighted by field where fields have
 * weights. A text's score is the sum over the query's terms.
 */
export function bm25(idf: number, frequency: number, { length, meanLength }: TextLength): number {
  if (frequency === 0) return 0;
  return idf * ((frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / meanLength)));
}

/** Inverse document frequency as SQLite's FTS5 computes it; at least 1e-6. */
export function flooredIdf(texts: number, having: number): number {
  return Math.max(IDF_FLOOR, Math.log((texts - having + 0.5) / (having + 0.5)));
}

/**
 * Inverse document frequency that stays above 0 in small collections, where most terms occur in half of the texts or
 * more.
 */
export function smoothIdf(texts: number, having: number): number {
  return Math.log(1 + (texts - having + 0.5) / (having + 0.5));
}

export interface Ranking {
  /** 0 or more, by the text's index; 0 for a text that shares no term with the query. */
  readonly scores: readonly number[];
  /** Number of distinct query terms that the text has, by the text's index. */
  readonly shared: readonly number[];
}

/** Ranks texts, each given as its terms, by the terms of a query; a term repeated in the query counts once. */
export function rankByTerms(texts: readonly (readonly string[])[], query: readonly string[]): Ranking {
  const counts = texts.map(countTerms);
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  const meanLength = Math.max(1, total / Math.max(1, texts.length));
  const terms = [...new Set(query)].map((term) => {
    const having = counts.filter((count) => count.has(term)).length;
    return { term, idf: smoothIdf(texts.length, having) };
  });
  const scores = texts.map(({ length }, index) =>
    terms.reduce(
      (sum, { term, idf }) => sum + bm25(idf, counts[index]!.get(term) ?? 0, { length, meanLength }),
      0,
    ),
  );
  return { scores, shared: counts.map((count) => terms.filter(({ term }) => count.has(term)).length) };
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
