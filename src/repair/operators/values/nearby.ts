import { editDistance } from '../../../platform/text/edit-distance.ts';

/** Whether one text may be a misspelling of the other: an edit distance of at most a quarter of the longer length. */
export function isNearby(a: string, b: string): boolean {
  const limit = Math.max(1, Math.floor(Math.max(a.length, b.length) / 4));
  return Math.abs(a.length - b.length) <= limit && editDistance(a, b) <= limit;
}
