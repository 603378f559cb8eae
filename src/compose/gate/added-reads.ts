import type { TreeId } from '../../ports/tree.ts';
import { surroundingsReads, type SurroundingsRead } from '../../proof/surroundings/reads.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { isTest } from '../../workspace/protect/protected-paths.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';

const MOST_FILES = 50;

/** Which of several promises settles first. */
export const RACE = 'a race of promises';
const RACING = /\bPromise\s*\.\s*(?:race|any)\s*\(/g;

/** A read that a changed source has and its earlier text has not. */
export interface AddedRead extends SurroundingsRead {
  /** Relative to the root. */
  readonly file: string;
}

/** Reads of the place, the moment or the process that the changed sources between two trees have newly, and races. */
export async function addedReads(from: TreeId, to: TreeId, snapshots: Snapshots): Promise<AddedRead[]> {
  const changed = (await snapshots.entryChanges(from, to))
    .map(({ path, before, after }) => ({ file: path.toString('utf8'), before: before?.id, after: after?.id }))
    .filter(({ file, after }) => after !== undefined && isEditableSource(file) && !isTest(file))
    .slice(0, MOST_FILES);
  if (changed.length === 0) return [];
  const texts = await snapshots.readBlobs(
    changed.flatMap(({ before, after }) => [before ?? [], after!].flat()),
  );
  const textOf = (id: string | undefined): string =>
    id === undefined ? '' : (texts.get(id)?.toString('utf8') ?? '');
  return changed.flatMap(({ file, before, after }) => {
    const [then, now] = [textOf(before), textOf(after)];
    const known = new Set(surroundingsReads(file, then).map(keyOf));
    const added = surroundingsReads(file, now).filter((read) => !known.has(keyOf(read)));
    return [...added, ...addedRaces(then, now)].map((read) => ({ ...read, file }));
  });
}

/** The last race of a text that has more of them than before. */
function addedRaces(before: string, now: string): SurroundingsRead[] {
  const races = [...now.matchAll(RACING)];
  const last = races.at(-1);
  if (last === undefined || races.length <= [...before.matchAll(RACING)].length) return [];
  const { index: from, 0: expression } = last;
  const line = now.slice(0, from).split('\n').length;
  const place = { line, from, to: from + expression.length, expression, origin: expression };
  return [{ what: RACE, ...place, use: 'value' }];
}

function keyOf({ what, origin, use }: SurroundingsRead): string {
  return `${what} ${origin} ${use === 'value'}`;
}

/** `chance at src/a.js:3`. */
export function describeRead({ what, file, line }: AddedRead): string {
  return `${what} at ${file}:${line}`;
}
