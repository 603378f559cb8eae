import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';
import { stateFolder } from '../../platform/files/state-folder.ts';

/** The text of a settings file from before the hooks were added. The user's folder for state holds it. */
interface TextBefore {
  readonly before: string;
  /** SHA-256 of the text with the hooks: another one was edited since. */
  readonly written: string;
}

/** The text of a settings file before hooks were added, byte for byte; undefined if that is not stored, or it was edited since. */
export function textBefore(path: string, now: string): string | undefined {
  try {
    const { before, written } = JSON.parse(readOwnFile(placeOf(path)).toString('utf8')) as TextBefore;
    return written === hashOf(now) && typeof before === 'string' ? before : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the text of a settings file before hooks were added. Without a folder for state, nothing is stored. */
export async function noteTextBefore(path: string, before: string, now: string): Promise<void> {
  const record: TextBefore = { before, written: hashOf(now) };
  try {
    makeFolder(folder());
    await writeDurably(placeOf(path), JSON.stringify(record));
  } catch {
    // Then the hooks are taken out of the text, which may lose an empty list.
  }
}

/** Forgets the text of a settings file. */
export function forgetTextBefore(path: string): void {
  rmSync(placeOf(path), { force: true });
}

function folder(): string {
  return join(stateFolder(process.env), 'gate-settings');
}

function placeOf(path: string): string {
  return join(folder(), `${hashOf(path).slice(0, 32)}.json`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
