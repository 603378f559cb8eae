import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sourcesBelow } from '../../platform/files/sources-below.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { createHabits, type Habits, type HabitSource, type PastChange } from './habits.ts';

/** Reads the changes in the repository's history, newest first. */
export type ReadPastChanges = () => Promise<readonly PastChange[]>;

/** A larger file is generated, or one that is bundled from others. */
const MOST_CHARS = 100_000;
const MOST_CHARS_IN_ALL = 2_000_000;

/** What the sources of a tree and the changes of its history make usual. */
export async function readHabits(root: string, readPastChanges: ReadPastChanges): Promise<Habits> {
  const changes = await readPastChanges();
  // Timers and signals of the process get their turn before the texts are counted.
  const sources = readSources(root);
  await setImmediate();
  return createHabits(sources, changes);
}

/** The hand-written sources of a tree, by path, up to two million characters. */
export function readSources(root: string): HabitSource[] {
  const sources: HabitSource[] = [];
  let size = 0;
  for (const file of sourcesBelow(root).filter(isEditableSource).sort()) {
    const text = textOf(join(root, file));
    if (text.length > MOST_CHARS) continue;
    size += text.length;
    if (size > MOST_CHARS_IN_ALL) break;
    sources.push({ file, text });
  }
  return sources;
}
