import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readRecord, type DamagedFile, type ReflectionRecord } from '../episodes/reflection-files.ts';
import type { ReflectionMatch, ReflectionQuery } from './search.ts';
import type { DatabaseSync } from './database.ts';
import { damagedIn, queryIndex, type IndexedMatch } from './query.ts';
import { readSeenFolder } from './seen.ts';
import { isStamp, stampOf } from './stamp.ts';

/** What the index says, with the records themselves from their files. */
export interface Answer {
  readonly matches: readonly ReflectionMatch[];
  readonly damaged: readonly DamagedFile[];
  /** Folders with a file that is not what the index knows; with any, the answer is none. */
  readonly stale: readonly string[];
}

export interface Question {
  readonly repositoryRoot: string;
  readonly query: ReflectionQuery;
  /** Ms since 1970. */
  readonly now: number;
  /** The index was brought up to date a moment ago: a file without a stamp is what it was then. */
  readonly isJustRead: boolean;
}

/** Throws where the index is damaged, and a usage RalphError as `searchReflections` does. */
export async function answerFrom(database: DatabaseSync, question: Question): Promise<Answer> {
  const { query } = question;
  const matches: ReflectionMatch[] = [];
  const stale: string[] = [];
  for (const match of queryIndex(database, query)) {
    const record = await recordOf(database, { ...question, match });
    if (record === undefined) stale.push(match.folder);
    else matches.push({ record, score: match.score });
  }
  return { matches, damaged: damagedIn(database, query.loop), stale };
}

/** Undefined where its file is another than the one that was indexed. */
async function recordOf(
  database: DatabaseSync,
  { repositoryRoot, match, now, isJustRead }: Question & { readonly match: IndexedMatch },
): Promise<ReflectionRecord | undefined> {
  const { path, number, source, folder } = match;
  const seen = readSeenFolder(database, folder);
  const at = seen?.files.indexOf(posix.basename(path)) ?? -1;
  if (seen === undefined || at === -1) return undefined;
  const absolute = join(repositoryRoot, path);
  if (isStamp(seen.stamps, at, stampOf(absolute, now))) {
    const text = await readFile(absolute, 'utf8');
    // It has held by its schema before it was indexed, and not a bit of it has been touched since.
    return { path, number, source, reflection: JSON.parse(text) as never };
  }
  if (!isJustRead) return undefined;
  const record = await readRecord(repositoryRoot, { path, loop: folder, number });
  return typeof record === 'string' ? undefined : record;
}
