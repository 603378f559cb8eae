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
