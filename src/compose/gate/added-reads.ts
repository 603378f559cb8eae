import type { TreeId } from '../../ports/tree.ts';
import { surroundingsReads, type SurroundingsRead } from '../../proof/surroundings/reads.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { isTest } from '../../workspace/protect/protected-paths.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';

const MOST_FILES = 50;

/** A read that a changed source has and its earlier text has not. */
export interface AddedRead extends SurroundingsRead {
  /** Relative to the root. */
  readonly file: string;
}

/** Reads of the place, the moment or the process that the changed sources between two trees have newly. */
export async function addedReads(from: TreeId, to: TreeId, snapshots: Snapshots): Promise<AddedRead[]> {
  const changed = (await snapshots.entryChanges(from, to))
    .map(({ path, before, after }) => ({ file: path.toString('utf8'), before: before?.id, after: after?.id }))
    .filter(({ file, after }) => after !== undefined && isEditableSource(file) && !isTest(file))
    .slice(0, MOST_FILES);
  if (changed.length === 0) return [];
  const texts = await snapshots.readBlobs(
    changed.flatMap(({ before, after }) => [before ?? [], after!].flat()),
  );
  const readsOf = (file: string, id: string | undefined) =>
    surroundingsReads(file, id === undefined ? '' : (texts.get(id)?.toString('utf8') ?? ''));
  return changed.flatMap(({ file, before, after }) => {
    const known = new Set(readsOf(file, before).map(keyOf));
    return readsOf(file, after)
      .filter((read) => !known.has(keyOf(read)))
      .map((read) => ({ ...read, file }));
  });
}

function keyOf({ what, origin, use }: SurroundingsRead): string {
  return `${what} ${origin} ${use === 'value'}`;
}

/** `chance at src/a.js:3`. */
export function describeRead({ what, file, line }: AddedRead): string {
  return `${what} at ${file}:${line}`;
}
