import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RALPH_FOLDER, RALPH_PATHS } from '../../platform/ralph-folder.ts';

/** A stored file of a loop. */
export interface LoopFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly size: number;
  readonly changedMs: number;
}

/** Half-written files, locks and caches are no part of a loop. */
const LEFT_OUT = /\.ralph-tmp$|lock|\.sqlite|\.damaged|\.earlier/;

/** The files of a loop: its folder, its reflections, and long-term memory. The journal is the first one. */
export function listLoopFiles(root: string, loopId: string): LoopFile[] {
  const folders = [RALPH_PATHS.loop(loopId), RALPH_PATHS.reflectionsOf(loopId), RALPH_PATHS.memory()];
  const files = folders.flatMap((folder) => listFolder(root, folder));
  const journal = RALPH_PATHS.journal(loopId);
  return files.sort((a, b) => Number(b.path === journal) - Number(a.path === journal));
}

/** True for a file that ralph only appends to while the loop runs. */
export function onlyGrows(path: string, loopId: string): boolean {
  return path === RALPH_PATHS.journal(loopId) || path === RALPH_PATHS.modelCalls(loopId);
}

/** Reads a file from a byte offset on; undefined if it is gone. */
export function readFrom(root: string, path: string, offset: number): Buffer | undefined {
  try {
    return readFileSync(join(root, path)).subarray(offset);
  } catch {
    return undefined;
  }
}

/** True if a path of the database lies in ralph's folder and has no part that leaves it. */
export function isLoopPath(path: string): boolean {
  const parts = path.split('/');
  return (
    path.startsWith(`${RALPH_FOLDER}/`) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    !path.includes('\0')
  );
}

function listFolder(root: string, folder: string): LoopFile[] {
  let names: string[];
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names.flatMap((name): LoopFile[] => {
    const path = `${folder.replace(/\/$/, '')}/${name}`;
    if (LEFT_OUT.test(name)) return [];
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found?.isFile() === true ? [{ path, size: found.size, changedMs: found.mtimeMs }] : [];
  });
}
