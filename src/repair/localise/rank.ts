import type { Range } from '../syntax/functions.ts';

/** A stretch of a file and how suspicious it is, 0..1. Offsets are UTF-16 units, `end` exclusive. */
export interface Region extends Range {
  readonly weight: number;
}

/** The weight of the smallest region that holds the offset; 0 where none does. */
export function suspicionAt(offset: number, regions: readonly Region[]): number {
  let best: Region | undefined;
  for (const region of regions) {
    if (offset < region.start || offset >= region.end) continue;
    if (best === undefined || region.end - region.start < best.end - best.start) best = region;
  }
  return best?.weight ?? 0;
}

/** What ranks a proposal: its score, then its place, then its text. */
export interface Ranked {
  readonly score: number;
  readonly start: number;
  readonly text: string;
}

/** Order for `sort`: best first; equal ones by place and text, so that every run gives the same order. */
export function byRank(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.start !== b.start) return a.start - b.start;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
