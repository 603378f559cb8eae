import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../platform/files/read-bounded.ts';
import { liesInRepository, ralphFolder } from '../../platform/ralph-folder.ts';
import { parseHunks } from '../../platform/text/patch-hunks.ts';
import type { Reflection } from '../../schema/generated.ts';

/**
 * Whether the files of the repository have the edits of a stored attempt now: false where not one of them is there, true
 * where every one stands at its place. Undefined where that is not so clear, and for an attempt without a stored patch.
 */
export function hasEdits(
  repositoryRoot: string,
  { loop_id: loop, iteration }: Pick<Reflection, 'loop_id' | 'iteration'>,
): boolean | undefined {
  const hunks = parseHunks(patchOf(repositoryRoot, loop, iteration + 1));
  if (hunks.length === 0) return undefined;
  const found = hunks.flatMap(({ file, edits, isDeletedFile }) => {
    const lines = linesOf(repositoryRoot, join(repositoryRoot, file));
    if (isDeletedFile) return [lines === undefined];
    if (lines === undefined) return [false];
    return edits.map(({ line, removed, added }) => {
      const written = added.some((row) => /\w/.test(row));
      if (written && isAt(lines, added, line)) return removed.length > 0 ? true : undefined;
      if (written) return indexOf(lines, added) === -1 ? false : undefined;
      return removed.some((row) => /\w/.test(row)) && indexOf(lines, removed) !== -1 ? false : undefined;
    });
  });
  if (found.every((one) => one === false)) return false;
  return found.every((one) => one === true) ? true : undefined;
}

function patchOf(repositoryRoot: string, loop: string, iteration: number): string {
  try {
    return readFileSync(ralphFolder(repositoryRoot).inAttempt(loop, iteration, 'patch.diff'), 'utf8');
  } catch {
    return '';
  }
}

/** Undefined for a file that is absent or cannot be read. */
function linesOf(repositoryRoot: string, path: string): string[] | undefined {
  if (!liesInRepository(repositoryRoot, path)) return undefined;
  try {
    return readOwnFile(path).toString('utf8').split('\n');
  } catch {
    return undefined;
  }
}

function isAt(lines: readonly string[], block: readonly string[], line: number): boolean {
  return block.every((row, index) => lines[line - 1 + index] === row);
}

function indexOf(lines: readonly string[], block: readonly string[]): number {
  return lines.findIndex((_, index) => isAt(lines, block, index + 1));
}
