import { lstatSync, type Stats } from 'node:fs';

/** What tells that a file or folder was not touched: changed (ms since 1970), inode, size (bytes). */
export type Stamp = readonly [changedMs: number, inode: number, size: number];

/** Numbers of a stamp. */
const STAMP_SIZE = 3;

/** Fits nothing, itself included. */
export const NO_STAMP: Stamp = [Number.NaN, Number.NaN, Number.NaN];

const QUIETLY = { throwIfNoEntry: false } as const;

/** Clocks of file systems tick as rarely as this: what was touched later may be touched again within the same tick. */
const TICK_MS = 2000;

/**
 * The stamp of what lies at a path now; `NO_STAMP` where nothing does, or where it was touched so short a time ago
 * (before `now`, ms since 1970) that a later change might not show. The time of the last change of anything is
 * taken, not that of the content, which any program can set back.
 */
export function stampOf(path: string, now: number): Stamp {
  const found = lstatSync(path, QUIETLY);
  if (found === undefined || Math.abs(now - found.ctimeMs) < TICK_MS) return NO_STAMP;
  return [found.ctimeMs, found.ino, sizeOf(found)];
}

/** True where the stamp number `index` of those in `stamps` is this one. */
export function isStamp(stamps: Float64Array, index: number, stamp: Stamp): boolean {
  const at = index * STAMP_SIZE;
  return stamps[at] === stamp[0] && stamps[at + 1] === stamp[1] && stamps[at + 2] === stamp[2];
}

/** The same for what lies at a path now, many thousand times a query. */
export function fitsStamp(
  stamps: Float64Array,
  index: number,
  { path, now }: { readonly path: string; readonly now: number },
): boolean {
  const found = lstatSync(path, QUIETLY);
  const at = index * STAMP_SIZE;
  return (
    found !== undefined &&
    stamps[at] === found.ctimeMs &&
    stamps[at + 1] === found.ino &&
    stamps[at + 2] === sizeOf(found) &&
    Math.abs(now - found.ctimeMs) >= TICK_MS
  );
}

/** A folder's says nothing. */
function sizeOf(found: Stats): number {
  return found.isFile() ? found.size : 0;
}

/** As the database keeps them. */
export function packStamps(stamps: readonly Stamp[]): Uint8Array {
  return new Uint8Array(Float64Array.from(stamps.flat()).buffer);
}

/** What `packStamps` gave. */
export function unpackStamps(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset } = isAligned(bytes) ? bytes : Uint8Array.from(bytes);
  return new Float64Array(buffer, byteOffset, bytes.byteLength / Float64Array.BYTES_PER_ELEMENT);
}

function isAligned({ byteOffset }: Uint8Array): boolean {
  return byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
}
