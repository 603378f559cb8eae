import type { DamagedFile } from '../episodes/reflection-files.ts';
import { phrasesOf, type Phrase } from '../text/full-text.ts';
import type { DatabaseSync } from './database.ts';
import { isSelective, LARGE_SHARE, MANY_MATCHES, SCORE_SQL, scoreOfSteps } from './score.ts';
import { fileMatcher, parseSince, type ReflectionQuery } from './search.ts';

/** A reflection as the index found it. */
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
const IS_REFLECTION = 'doc.problem IS NULL';

/**
 * The matches that `searchReflections` would find in the whole store, in the same order. Throws a usage RalphError for
 * the same queries.
 */
export function queryIndex(database: DatabaseSync, query: ReflectionQuery): IndexedMatch[] {
  const conditions = conditionsOf(database, query);
  const phrases = phrasesOf(query.words ?? []);
  const limit = query.limit ?? -1;
  if (canRank(database, phrases)) return ranked(database, phrases, conditions, limit);
  if (phrases.length > 0) addPhrases(database, phrases, conditions);
  return newest(database, conditions, limit);
}

/** Files among the reflections that are not valid, of one loop's folder where one is given. */
export function damagedIn(database: DatabaseSync, loop: string | undefined): DamagedFile[] {
  const rows = database
    .prepare(
      'SELECT path, problem FROM doc WHERE problem IS NOT NULL AND coalesce(folder = ?, 1) ORDER BY path',
    )
    .all(loop ?? null);
  return rows as unknown as DamagedFile[];
}

function newest(database: DatabaseSync, { sql, values }: Conditions, limit: number): IndexedMatch[] {
  const rows = database
    .prepare(`SELECT ${COLUMNS}, 0 AS score FROM doc WHERE ${sql.join(' AND ')} ORDER BY ${ORDER} LIMIT ?`)
    .all(...values, limit);
  return rows as unknown as IndexedMatch[];
}

/** Without filters, rows that score below the last one of the limit are skipped before the join. */
function ranked(
  database: DatabaseSync,
  phrases: readonly Phrase[],
  { sql, values }: Conditions,
  limit: number,
): IndexedMatch[] {
  const hasFilters = sql.length > 1;
  const offset = !hasFilters && limit > 0 ? [limit - 1] : [];
  const lastSteps = '(SELECT steps FROM hit ORDER BY steps DESC LIMIT 1 OFFSET ?)';
  const rows = database
    .prepare(
      `WITH hit AS MATERIALIZED (SELECT rowid AS id, ${SCORE_SQL} AS steps FROM words WHERE words MATCH ?)
      SELECT ${COLUMNS}, hit.steps FROM hit JOIN doc ON doc.id = hit.id
      WHERE ${offset.length === 0 ? '' : `hit.steps >= coalesce(${lastSteps}, 0) AND`} ${sql.join(' AND ')}
      ORDER BY hit.steps DESC, ${ORDER} LIMIT ?`,
    )
    .all(matchExpression(phrases), ...offset, ...values, limit);
  return (rows as unknown as (IndexedMatch & { readonly steps: number })[]).map(({ steps, ...match }) => ({
    ...match,
    score: scoreOfSteps(steps),
  }));
}

/** True where one of the phrases is selective. Counting stops once that is decided. */
function canRank(database: DatabaseSync, phrases: readonly Phrase[]): boolean {
  if (phrases.length === 0) return false;
  const all = countIn(
    database
      .prepare('SELECT files - (SELECT count(*) FROM doc WHERE problem IS NOT NULL) AS count FROM seen')
      .get(),
  );
  const having = database.prepare(
    'SELECT count(*) AS count FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)',
  );
  const most = Math.max(MANY_MATCHES, Math.ceil(all * LARGE_SHARE));
  return phrases.some((phrase) => isSelective(countIn(having.get(matchExpression([phrase]), most)), all));
}

function countIn(row: unknown): number {
  return (row as { readonly count: number }).count;
}

/** Adds the condition that a reflection has all phrases. */
function addPhrases(database: DatabaseSync, phrases: readonly Phrase[], { sql }: Conditions): void {
  const found = database
    .prepare('SELECT json_group_array(rowid) AS ids FROM words WHERE words MATCH ? ORDER BY rowid')
    .get(matchExpression(phrases));
  sql.push(isAmong(database, 'has_words', found));
}

/**
 * A condition that holds for the reflections with these ids, as a function of SQLite. Evaluated row by row from the
 * newest, a query ends at its limit; a join would look up all ids first.
 */
function isAmong(database: DatabaseSync, name: string, found: unknown): string {
  const ids = JSON.parse((found as { readonly ids: string }).ids) as number[];
  const isIn = new Uint8Array(ids.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const id of ids) isIn[id] = 1;
  database.function(name, { deterministic: true }, (id) => isIn[id as number] ?? 0);
  return `${name}(doc.id)`;
}

/** An expression for FTS5's MATCH. Terms have only letters and digits, so nothing needs escaping. */
function matchExpression(phrases: readonly Phrase[]): string {
  return phrases.map(({ terms, isPrefix }) => `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`).join(' AND ');
}

type Value = string | number;

/** Most reflections that are looked up by their id. */
const MOST_LOOKED_UP = 1000;
const DOCS_OF_FILES = 'SELECT doc FROM doc_file WHERE file IN (SELECT value FROM json_each(?))';

/** Looking up every reflection with a file such as `*.ts` would dominate the query, so many are tested row by row. */
function addFiles(database: DatabaseSync, file: string, { sql, values }: Conditions): void {
  const ids = JSON.stringify(fileIds(database, file));
  const isMany = database.prepare(`${DOCS_OF_FILES} LIMIT 1 OFFSET ?`).get(ids, MOST_LOOKED_UP) !== undefined;
  if (isMany) {
    const found = database.prepare(`SELECT json_group_array(doc) AS ids FROM (${DOCS_OF_FILES})`).get(ids);
    sql.push(isAmong(database, 'has_file', found));
  } else {
    sql.push(`doc.id IN (${DOCS_OF_FILES})`);
    values.push(ids);
  }
}

/** SQL conditions to join by AND, with the values of their question marks. */
interface Conditions {
  readonly sql: string[];
  readonly values: Value[];
}

function conditionsOf(database: DatabaseSync, query: ReflectionQuery): Conditions {
  const { categories = [], minConfidence, loop, file, fingerprint, since, now } = query;
  const sql = [IS_REFLECTION];
  const values: Value[] = [];
  const add = (condition: string, ...given: readonly Value[]): void => {
    sql.push(condition);
    values.push(...given);
  };
  if (categories.length > 0)
    add('doc.category IN (SELECT value FROM json_each(?))', JSON.stringify(categories));
  if (minConfidence !== undefined) add('coalesce(doc.confidence, -1) >= ?', minConfidence);
  if (loop !== undefined) add('(doc.loop = ? OR doc.folder = ?)', loop, loop);
  if (file !== undefined) addFiles(database, file, { sql, values });
  if (fingerprint !== undefined) add('doc.id IN (SELECT doc FROM fingerprint WHERE value = ?)', fingerprint);
  if (since !== undefined) add('doc.time >= ?', parseSince(since, now ?? new Date()).getTime());
  return { sql, values };
}

function fileIds(database: DatabaseSync, file: string): unknown[] {
  const matches = fileMatcher(file);
  const rows = database.prepare('SELECT id, name FROM file').all();
  return rows.filter(({ name }) => matches(name as string)).map(({ id }) => id);
}
