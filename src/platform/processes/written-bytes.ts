import { readdirSync, statSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownProcess } from './descendants.ts';

/**
 * Bytes on disk of the files below the folders (absolute paths) that were created or changed since `sinceMs` (of the
 * epoch). A file that was only lengthened counts whole. Never rejects.
 */
export async function writtenBytes(folders: readonly string[], sinceMs: number): Promise<number> {
  let sum = 0;
  const seen = new Set<string>();
  const waiting = [...folders];
  while (waiting.length > 0) {
    const folder = waiting.pop()!;
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) sum += sizeSince(await lstat(path).catch(() => undefined), sinceMs);
    }
  }
  return sum;
}

/** Bytes of the files that the processes hold open and that have no name any more. */
export function unnamedBytes(processes: readonly KnownProcess[]): number {
  const files = new Map<string, number>();
  for (const { id } of processes) {
    for (const path of descriptorsOf(id)) {
      try {
        const stat = statSync(path);
        if (stat.isFile() && stat.nlink === 0) files.set(`${stat.dev} ${stat.ino}`, sizeOf(stat));
      } catch {
        // It was closed.
      }
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function descriptorsOf(id: number): string[] {
  try {
    return readdirSync(`/proc/${id}/fd`).map((name) => `/proc/${id}/fd/${name}`);
  } catch {
    return [];
  }
}

function sizeSince(stat: Stats | undefined, sinceMs: number): number {
  return stat === undefined || stat.ctimeMs < sinceMs ? 0 : sizeOf(stat);
}

const BLOCK = 512;

function sizeOf({ blocks }: Stats): number {
  return blocks * BLOCK;
}
