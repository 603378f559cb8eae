/** Sort keys of a proposal. */
export interface Ranked {
  /** Prior times suspicion, 0..1. */
  readonly score: number;
  /** Offset of its first edit. */
  readonly start: number;
  /** Its replacement texts, joined. */
  readonly text: string;
}

/** Comparator: best score first; ties by place, then by text, so that every run gives the same order. */
export function byRank(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.start !== b.start) return a.start - b.start;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
