import type { DamagedFile } from '../episodes/reflection-files.ts';
import { fileMatcher, parseSince, type ReflectionQuery } from './search.ts';
import type { DatabaseSync } from './database.ts';
import { LARGE_SHARE, SCORE_SQL, scoreOfSteps, tellsApart, VERY_MANY } from './score.ts';
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
  const conditions = conditionsOf(database, query);
  const phrases = phrasesOf(query.words ?? []);
  const limit = query.limit ?? -1;
  if (canRank(database, phrases)) return ranked(database, phrases, conditions, limit);
  if (phrases.length > 0) addHolding(database, phrases, conditions);
  return newest(database, conditions, limit);
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

function newest(database: DatabaseSync, { sql, values }: Conditions, limit: number): IndexedMatch[] {
  const rows = database
    .prepare(`SELECT ${COLUMNS}, 0 AS score FROM doc WHERE ${sql.join(' AND ')} ORDER BY ${ORDER} LIMIT ?`)
    .all(...values, limit);
  return rows as unknown as IndexedMatch[];
}

/** What is known to stand behind the last that is asked for need not be looked up; with filters nothing is known. */
function ranked(
  database: DatabaseSync,
  phrases: readonly Phrase[],
  { sql, values }: Conditions,
  limit: number,
): IndexedMatch[] {
  const reach = sql.length === 1 && limit > 0 ? [limit - 1] : [];
  const behind = '(SELECT steps FROM hit ORDER BY steps DESC LIMIT 1 OFFSET ?)';
  const rows = database
    .prepare(
      `WITH hit AS MATERIALIZED (SELECT rowid AS id, ${SCORE_SQL} AS steps FROM words WHERE words MATCH ?)
      SELECT ${COLUMNS}, hit.steps FROM hit JOIN doc ON doc.id = hit.id
      WHERE ${reach.length === 0 ? '' : `hit.steps >= coalesce(${behind}, 0) AND`} ${sql.join(' AND ')}
      ORDER BY hit.steps DESC, ${ORDER} LIMIT ?`,
    )
    .all(matchOf(phrases), ...reach, ...values, limit);
  return (rows as unknown as (IndexedMatch & { readonly steps: number })[]).map(({ steps, ...match }) => ({
    ...match,
    score: scoreOfSteps(steps),
  }));
}

/** Whether one of the phrases tells records apart; none is counted further than that needs. */
function canRank(database: DatabaseSync, phrases: readonly Phrase[]): boolean {
  if (phrases.length === 0) return false;
  const all = countOf(
    database
      .prepare('SELECT files - (SELECT count(*) FROM doc WHERE problem IS NOT NULL) AS count FROM seen')
      .get(),
  );
  const having = database.prepare(
    'SELECT count(*) AS count FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)',
  );
  const most = Math.max(VERY_MANY, Math.ceil(all * LARGE_SHARE));
  return phrases.some((phrase) => tellsApart(countOf(having.get(matchOf([phrase]), most)), all));
}

function countOf(row: unknown): number {
  return (row as { readonly count: number }).count;
}

/** The reflections that have all phrases, in whatever order. */
function addHolding(database: DatabaseSync, phrases: readonly Phrase[], { sql }: Conditions): void {
  const found = database
    .prepare('SELECT json_group_array(rowid) AS ids FROM words WHERE words MATCH ? ORDER BY rowid')
    .get(matchOf(phrases));
  sql.push(isAmong(database, 'holds_words', found));
}

/**
 * A condition that holds for the reflections with these numbers. Asked record by record, newest first, a query ends
 * with the last one that is shown; a join would look up all of them.
 */
function isAmong(database: DatabaseSync, name: string, found: unknown): string {
  const ids = JSON.parse((found as { readonly ids: string }).ids) as number[];
  const isIn = new Uint8Array(ids.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const id of ids) isIn[id] = 1;
  database.function(name, { deterministic: true }, (id) => isIn[id as number] ?? 0);
  return `${name}(doc.id)`;
}

/** In FTS5's own language. Terms are letters and digits alone, so that nothing in them needs to be escaped. */
function matchOf(phrases: readonly Phrase[]): string {
  return phrases.map(({ terms, begins }) => `"${terms.join(' ')}"${begins ? ' *' : ''}`).join(' AND ');
}

type Value = string | number;

/** So many reflections at most are looked up by their number. */
const FEW = 1000;
const OF_FILES = 'SELECT doc FROM doc_file WHERE file IN (SELECT value FROM json_each(?))';

/** For `*.ts` a lookup of each reflection with such a file would take longer than all the rest. */
function addFiles(database: DatabaseSync, file: string, { sql, values }: Conditions): void {
  const ids = JSON.stringify(fileIds(database, file));
  const isMany = database.prepare(`${OF_FILES} LIMIT 1 OFFSET ?`).get(ids, FEW) !== undefined;
  if (isMany) {
    const found = database.prepare(`SELECT json_group_array(doc) AS ids FROM (${OF_FILES})`).get(ids);
    sql.push(isAmong(database, 'has_file', found));
  } else {
    sql.push(`doc.id IN (${OF_FILES})`);
    values.push(ids);
  }
}

/** To be joined by AND, with the values of their question marks. */
interface Conditions {
  readonly sql: string[];
  readonly values: Value[];
}

function conditionsOf(database: DatabaseSync, query: ReflectionQuery): Conditions {
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
