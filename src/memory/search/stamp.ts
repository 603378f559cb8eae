import { lstatSync, type Stats } from 'node:fs';

/** Identifies an unchanged file or folder: change time (ctime, ms since 1970), inode, size (bytes; 0 for a folder). */
export type Stamp = readonly [changedMs: number, inode: number, size: number];

/** Number of values in a stamp. */
const STAMP_SIZE = 3;

/** Equal to no stamp, not even itself. */
const NO_STAMP: Stamp = [Number.NaN, Number.NaN, Number.NaN];

const NO_THROW = { throwIfNoEntry: false } as const;

/** Coarsest resolution of a file system's clock: a second change within it would not alter the change time. */
const TICK_MS = 2000;

/**
 * The stamp of a path; `NO_STAMP` where nothing exists there, or where it changed so recently (relative to `now`, ms
 * since 1970) that a further change might not alter the stamp. Uses ctime, since any program can reset mtime.
 */
export function stampOf(path: string, now: number): Stamp {
  const found = lstatSync(path, NO_THROW);
  if (found === undefined || Math.abs(now - found.ctimeMs) < TICK_MS) return NO_STAMP;
  return [found.ctimeMs, found.ino, sizeOf(found)];
}

/** True where the packed stamp at `index` equals `stamp`. */
export function isStamp(stamps: Float64Array, index: number, stamp: Stamp): boolean {
  const at = index * STAMP_SIZE;
  return stamps[at] === stamp[0] && stamps[at + 1] === stamp[1] && stamps[at + 2] === stamp[2];
}

/** True where the packed stamp at `index` equals that of a path. Allocates nothing: it runs thousands of times a query. */
export function matchesStamp(
  stamps: Float64Array,
  index: number,
  { path, now }: { readonly path: string; readonly now: number },
): boolean {
  const found = lstatSync(path, NO_THROW);
  const at = index * STAMP_SIZE;
  return (
    found !== undefined &&
    stamps[at] === found.ctimeMs &&
    stamps[at + 1] === found.ino &&
    stamps[at + 2] === sizeOf(found) &&
    Math.abs(now - found.ctimeMs) >= TICK_MS
  );
}

/** The size of a folder depends on the file system. */
function sizeOf(found: Stats): number {
  return found.isFile() ? found.size : 0;
}

/** Stamps as a BLOB of the index. */
export function packStamps(stamps: readonly Stamp[]): Uint8Array {
  return new Uint8Array(Float64Array.from(stamps.flat()).buffer);
}

/** The packed stamps of a BLOB. */
export function unpackStamps(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset } = isAligned(bytes) ? bytes : Uint8Array.from(bytes);
  return new Float64Array(buffer, byteOffset, bytes.byteLength / Float64Array.BYTES_PER_ELEMENT);
}

function isAligned({ byteOffset }: Uint8Array): boolean {
  return byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
}
