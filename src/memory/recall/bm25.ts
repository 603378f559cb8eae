/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with their usual values. */
const K1 = 1.2;
const B = 0.75;

/** Scores texts, each as its terms, against the terms of a query. */
export interface Ranking {
  /** 0 or more, by the text's index; 0 where nothing is shared. */
  readonly scores: readonly number[];
  /** Different terms of the query that the text has. */
  readonly shared: readonly number[];
}

/** BM25 of every text; each term of the query counts once. */
export function rankByTerms(texts: readonly (readonly string[])[], query: readonly string[]): Ranking {
  const counts = texts.map(countOf);
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const terms = [...new Set(query)].map((term) => {
    const having = counts.filter((count) => count.has(term)).length;
    return { term, rarity: Math.log(1 + (texts.length - having + 0.5) / (having + 0.5)) };
  });
  const scores = texts.map(({ length }, index) =>
    terms.reduce((sum, { term, rarity }) => {
      const count = counts[index]!.get(term) ?? 0;
      const saturation = count + K1 * (1 - B + (B * length) / Math.max(1, meanLength));
      return sum + (count === 0 ? 0 : (rarity * count * (K1 + 1)) / saturation);
    }, 0),
  );
  return { scores, shared: counts.map((count) => terms.filter(({ term }) => count.has(term)).length) };
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
