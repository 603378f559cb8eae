/** Sort keys of a proposal. */
export interface Ranked {
  /** Place in the order: prior times suspicion, and how well the edit fits the repository. */
  readonly order: number;
  /** Offset of its first edit. */
  readonly start: number;
  /** Its replacement texts, joined. */
  readonly text: string;
}

/** Comparator: highest order first; ties by place, then by text, so that every run gives the same order. */
export function byRank(a: Ranked, b: Ranked): number {
  if (a.order !== b.order) return b.order - a.order;
  if (a.start !== b.start) return a.start - b.start;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
