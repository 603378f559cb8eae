import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readRecord, type DamagedFile, type ReflectionRecord } from '../episodes/reflection-files.ts';
import type { ReflectionMatch, ReflectionQuery } from './search.ts';
import type { DatabaseSync } from './database.ts';
import { damagedIn, queryIndex, type IndexedMatch } from './query.ts';
import { readIndexedFolder } from './indexed-state.ts';
import { isStamp, stampOf } from './stamp.ts';

/** Matches of the index, with the records read from their files. */
export interface Answer {
  readonly matches: readonly ReflectionMatch[];
  readonly damaged: readonly DamagedFile[];
  /** Folders with a file that differs from the index; if there is any, the answer must not be used. */
  readonly stale: readonly string[];
}

export interface Question {
  readonly repositoryRoot: string;
  readonly query: ReflectionQuery;
  /** Ms since 1970. */
  readonly now: number;
  /** The index was updated immediately before, so a file without a stamp is read and trusted. */
  readonly isJustRead: boolean;
}

/** Answers a query from the index. Throws where the index is damaged, and a usage RalphError as `searchReflections`. */
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

/** Undefined where the file is not the one that was indexed. */
async function recordOf(
  database: DatabaseSync,
  { repositoryRoot, match, now, isJustRead }: Question & { readonly match: IndexedMatch },
): Promise<ReflectionRecord | undefined> {
  const { path, number, source, folder } = match;
  const indexed = readIndexedFolder(database, folder);
  const at = indexed?.files.indexOf(posix.basename(path)) ?? -1;
  if (indexed === undefined || at === -1) return undefined;
  const absolute = join(repositoryRoot, path);
  if (isStamp(indexed.stamps, at, stampOf(absolute, now))) {
    const text = await readFile(absolute, 'utf8');
    // It satisfied its schema when it was indexed, and its stamp says that it is unchanged.
    return { path, number, source, reflection: JSON.parse(text) as never };
  }
  if (!isJustRead) return undefined;
  const record = await readRecord(repositoryRoot, { path, loop: folder, number });
  return typeof record === 'string' ? undefined : record;
}
