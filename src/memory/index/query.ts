import type { DamagedFile } from '../reflection-files.ts';
import { fileMatcher, parseSince, type ReflectionQuery } from '../search.ts';
import type { DatabaseSync } from './database.ts';
import { SCORE_SQL, scoreOfSteps } from './score.ts';
import { phrasesOf, type Phrase } from './terms.ts';

/** A reflection that the index knows of. */
export interface IndexedMatch {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly folder: string;
  /** 1-based, as in its name. */
  readonly number: number;
  readonly source: 'ralph' | 'aiwg';
  readonly score: number;
}

const ORDER = 'doc.time DESC, doc.iteration DESC, doc.path';
const COLUMNS = 'doc.path, doc.folder, doc.number, doc.source';

/** What `searchReflections` would find in the whole store, in its order. Throws a usage RalphError as it does. */
export function queryIndex(database: DatabaseSync, query: ReflectionQuery): IndexedMatch[] {
  const { sql, values } = conditionsOf(database, query);
  const phrases = phrasesOf(query.words ?? []);
  const limit = query.limit ?? -1;
  const rows =
    phrases.length === 0
      ? database
          .prepare(
            `SELECT ${COLUMNS}, 0 AS steps FROM doc WHERE ${sql.join(' AND ')} ORDER BY ${ORDER} LIMIT ?`,
          )
          .all(...values, limit)
      : database.prepare(rankedSql(sql)).all(matchOf(phrases), ...reachOf(sql, limit), ...values, limit);
  return (rows as unknown as (IndexedMatch & { readonly steps: number })[]).map(({ steps, ...match }) => ({
    ...match,
    score: scoreOfSteps(steps),
  }));
}

/** Files among the reflections that are none, of one loop's folder where one is given. */
export function damagedIn(database: DatabaseSync, loop: string | undefined): DamagedFile[] {
  const rows = database
    .prepare(
      'SELECT path, problem FROM doc WHERE problem IS NOT NULL AND coalesce(folder = ?, 1) ORDER BY path',
    )
    .all(loop ?? null);
  return rows as unknown as DamagedFile[];
}

const ALWAYS = 'doc.problem IS NULL';

/** What is known to stand behind the last that is asked for need not be looked up; with filters nothing is known. */
function rankedSql(sql: readonly string[]): string {
  const reach =
    sql.length === 1
      ? 'hit.steps >= coalesce((SELECT steps FROM hit ORDER BY steps DESC LIMIT 1 OFFSET ?), 0) AND '
      : '';
  return `WITH hit AS MATERIALIZED (SELECT rowid AS id, ${SCORE_SQL} AS steps FROM words WHERE words MATCH ?)
    SELECT ${COLUMNS}, hit.steps FROM hit JOIN doc ON doc.id = hit.id
    WHERE ${reach}${sql.join(' AND ')} ORDER BY hit.steps DESC, ${ORDER} LIMIT ?`;
}

function reachOf(sql: readonly string[], limit: number): number[] {
  if (sql.length > 1) return [];
  return [limit < 1 ? Number.MAX_SAFE_INTEGER : limit - 1];
}

/** In FTS5's own language. Terms are letters and digits alone, so that nothing in them needs to be escaped. */
function matchOf(phrases: readonly Phrase[]): string {
  return phrases.map(({ terms, begins }) => `"${terms.join(' ')}"${begins ? ' *' : ''}`).join(' AND ');
}

type Value = string | number;

function conditionsOf(database: DatabaseSync, query: ReflectionQuery): { sql: string[]; values: Value[] } {
  const { categories = [], minConfidence, loop, file, fingerprint, since, now } = query;
  const sql = [ALWAYS];
  const values: Value[] = [];
  const add = (condition: string, ...given: readonly Value[]): void => {
    sql.push(condition);
    values.push(...given);
  };
  if (categories.length > 0)
    add('doc.category IN (SELECT value FROM json_each(?))', JSON.stringify(categories));
  if (minConfidence !== undefined) add('coalesce(doc.confidence, -1) >= ?', minConfidence);
  if (loop !== undefined) add('(doc.loop = ? OR doc.folder = ?)', loop, loop);
  if (file !== undefined) {
    add(
      'doc.id IN (SELECT doc FROM doc_file WHERE file IN (SELECT value FROM json_each(?)))',
      JSON.stringify(fileIds(database, file)),
    );
  }
  if (fingerprint !== undefined) add('doc.id IN (SELECT doc FROM fingerprint WHERE value = ?)', fingerprint);
  if (since !== undefined) add('doc.time >= ?', parseSince(since, now ?? new Date()).getTime());
  return { sql, values };
}

function fileIds(database: DatabaseSync, file: string): unknown[] {
  const matches = fileMatcher(file);
  const rows = database.prepare('SELECT id, name FROM file').all();
  return rows.filter(({ name }) => matches(name as string)).map(({ id }) => id);
}
