/** A range of 0-based UTF-16 offsets, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A range of a file and how suspicious it is, 0..1. Regions may nest. */
export interface Region extends Range {
  readonly weight: number;
}

/** Weight of the smallest region around the offset; 0 outside all regions. */
export function suspicionAt(offset: number, regions: readonly Region[]): number {
  let smallest: Region | undefined;
  for (const region of regions) {
    if (offset < region.start || offset >= region.end) continue;
    if (smallest === undefined || region.end - region.start < smallest.end - smallest.start)
      smallest = region;
  }
  return smallest?.weight ?? 0;
}

/** The suspicion of every offset of a file, for many questions. */
export interface Suspicion {
  /** As `suspicionAt`. */
  at(offset: number): number;
  /** Whether any offset of a range, its end included, has a suspicion above 0. */
  isAbove0In(start: number, end: number): boolean;
}

/** `suspicionAt` with the regions sorted once: a large file has thousands of them. */
export function createSuspicion(regions: readonly Region[]): Suspicion {
  const starts = [...new Set(regions.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const opening = Map.groupBy(regions, ({ start }) => start);
  let open: Region[] = [];
  let above0 = 0;
  // From each start to the next one the same region counts; `above0` counts the parts above 0 before this one.
  const parts = starts.map((start) => {
    open = [...open.filter(({ end }) => start < end), ...(opening.get(start) ?? [])];
    const part = { start, weight: suspicionAt(start, open), above0 };
    if (part.weight > 0) above0++;
    return part;
  });
  const partOf = (offset: number): number => lastAtMost(starts, offset);
  const countBefore = (part: number): number => parts[part]?.above0 ?? (part < 0 ? 0 : above0);
  return {
    at: (offset) => parts[partOf(offset)]?.weight ?? 0,
    isAbove0In: (start, end) => countBefore(partOf(end) + 1) > countBefore(partOf(start)),
  };
}

/** Index of the last number that is at most `limit`; -1 if there is none. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
