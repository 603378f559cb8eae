import type { AiwgRecord } from '../../memory/episodes/aiwg-record.ts';
import type { ReflectionRecord } from '../../memory/episodes/reflection-files.ts';
import { isSelective, LARGE_SHARE, MANY_MATCHES } from '../../memory/search/score.ts';
import {
  fileMatcher,
  parseSince,
  type ReflectionMatch,
  type ReflectionQuery,
} from '../../memory/search/search.ts';
import { flooredIdf } from '../../memory/text/bm25.ts';
import { phrasesOf, type Phrase } from '../../memory/text/full-text.ts';
import type { Queryable } from '../database/database.ts';
import { lexemeOf, patternOf, queryOf, WEIGHTS } from './search-terms.ts';

/** The reflections that are searched: those of one repository, or of all of an organisation. */
export interface SearchScope {
  readonly fact: 'repository' | 'organisation';
  /** Id of the repository, or name of the organisation. */
  readonly value: string;
}

/**
 * The reflections that `searchReflections` finds among all of the scope, with the same scores and in the same order.
 * Rejects with a usage RalphError for the same queries, and with the driver's error.
 */
export async function searchRows(
  db: Queryable,
  scope: SearchScope,
  query: ReflectionQuery,
): Promise<ReflectionMatch[]> {
  const values = createValues();
  const { conditions, terms } = await conditionsOf(db, { scope, query, values });
  const phrases = phrasesOf(query.words ?? []);
  const score = await scoreOf(db, { scope, phrases, values });
  const found = phrases.map((_, index) => `frequency_${index} > 0`);
  const frequencies = phrases.map(
    (phrase, index) => `, ${frequencyOf(phrase, values)} AS frequency_${index}`,
  );
  const rows = await db.query<Row>(
    `WITH found AS ${await planFor(db, scope, terms)} (
       SELECT *${frequencies.join('')} FROM ralph.memory_reflection r WHERE ${conditions.join(' AND ')})
     SELECT path, number, source, record, ${score} AS score FROM found
     ${found.length === 0 ? '' : `WHERE ${found.join(' AND ')}`}
     ORDER BY ${score === '0' ? '' : 'score DESC, '}time DESC, iteration DESC, path
     ${query.limit === undefined ? '' : `LIMIT ${values.add(query.limit)}`}`,
    values.all,
  );
  return rows.map(toMatch);
}

/** So many rows are fetched and sorted faster than the newest ones are tested one after the other. */
const FEW_ROWS = 2000;

/** PostgreSQL estimates that a term which it knows nothing of is in 0.5 % of the rows: it knows those with a larger share. */
const SURE_SHARE = 0.05;

async function estimateRows(db: Queryable, statement: string, values: Values): Promise<number> {
  const [row] = await db.query<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${statement}`,
    values.all,
  );
  return row!['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** PostgreSQL takes a rare term for a common one, and would test all rows from the newest on. */
async function planFor(db: Queryable, scope: SearchScope, terms: string | undefined): Promise<string> {
  if (terms === undefined) return '';
  const values = createValues();
  const matching = `SELECT 1 FROM ralph.memory_reflection
     WHERE ${scopeCondition(scope, values)} AND terms @@ ${values.add(terms)}::tsquery`;
  const { all } = await sizeOf(db, scope);
  if ((await estimateRows(db, matching, values)) > all * SURE_SHARE) return 'NOT MATERIALIZED';
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${matching} LIMIT ${FEW_ROWS}) few`,
    values.all,
  );
  return row!.count < FEW_ROWS ? 'MATERIALIZED' : 'NOT MATERIALIZED';
}

interface Row {
  readonly path: string;
  readonly number: string;
  readonly source: 'ralph' | 'aiwg';
  readonly record: string;
  readonly score: number;
}

function toMatch({ path, number, source, record, score }: Row): ReflectionMatch {
  const reflection = JSON.parse(record) as AiwgRecord;
  return { record: { path, number: Number(number), source, reflection } as ReflectionRecord, score };
}

/** Values of a statement, and their places in it. */
interface Values {
  readonly all: unknown[];
  /** `$1` for the first one. */
  add(value: unknown): string;
}

function createValues(): Values {
  const all: unknown[] = [];
  return { all, add: (value) => `$${all.push(value)}` };
}

interface Asked {
  readonly scope: SearchScope;
  readonly query: ReflectionQuery;
  readonly values: Values;
}

/** Conditions to join by AND, and the query of terms that is one of them. */
interface Conditions {
  readonly conditions: string[];
  readonly terms: string | undefined;
}

async function conditionsOf(db: Queryable, { scope, query, values }: Asked): Promise<Conditions> {
  const { categories = [], minConfidence, loop, file, fingerprint, since, now } = query;
  const conditions = [scopeCondition(scope, values)];
  const searched = phrasesOf(query.words ?? []).map(queryOf);
  const anyOf = (lexemes: readonly string[]): void =>
    void searched.push(lexemes.map((lexeme) => `'${lexeme}'`).join(' | '));
  if (categories.length > 0) anyOf(categories.map((category) => lexemeOf('category', category)));
  if (fingerprint !== undefined) anyOf([lexemeOf('fingerprint', fingerprint)]);
  if (loop !== undefined) anyOf([lexemeOf('loop', loop)]);
  if (file !== undefined) {
    const names = await filesMatching(db, scope, file);
    if (names.length === 0) conditions.push('false');
    else anyOf(names.map((name) => lexemeOf('file', name)));
  }
  const terms = searched.length === 0 ? undefined : inScope(scope, searched);
  if (terms !== undefined) conditions.push(`terms @@ ${values.add(terms)}::tsquery`);
  if (minConfidence !== undefined)
    conditions.push(`coalesce(confidence, -1) >= ${values.add(minConfidence)}`);
  if (since !== undefined)
    conditions.push(`time >= ${values.add(parseSince(since, now ?? new Date()).getTime())}`);
  return { conditions, terms };
}

function scopeCondition({ fact, value }: SearchScope, values: Values): string {
  return `${fact} = ${values.add(value)}`;
}

/** The scope as a lexeme as well, so that the index of terms alone finds the rows. */
function inScope({ fact, value }: SearchScope, searched: readonly string[]): string {
  return [`'${lexemeOf(fact, value)}'`, ...searched.map((part) => `(${part})`)].join(' & ');
}

async function filesMatching(db: Queryable, scope: SearchScope, file: string): Promise<string[]> {
  const matches = fileMatcher(file);
  const rows = await db.query<{ name: string }>(
    `SELECT DISTINCT name FROM ralph.memory_file WHERE ${scope.fact} = $1`,
    [scope.value],
  );
  return rows.map(({ name }) => name).filter(matches);
}

/** The score of a row as SQL, with the very steps of `bm25`; `0` without words, and where all are too common. */
async function scoreOf(
  db: Queryable,
  {
    scope,
    phrases,
    values,
  }: { readonly scope: SearchScope; readonly phrases: readonly Phrase[]; readonly values: Values },
): Promise<string> {
  if (phrases.length === 0) return '0';
  const { all, terms } = await sizeOf(db, scope);
  const most = Math.max(MANY_MATCHES, Math.ceil(all * LARGE_SHARE));
  const bounded: number[] = [];
  for (const phrase of phrases) bounded.push(await countOf(db, { scope, phrase, most }));
  if (!bounded.some((having) => isSelective(having, all))) return '0';
  const mean = values.add(terms / all);
  const parts: string[] = [];
  for (const [index, phrase] of phrases.entries()) {
    const having = bounded[index]! < most ? bounded[index]! : await countOf(db, { scope, phrase });
    const idf = values.add(flooredIdf(all, having));
    const frequency = `frequency_${index}::float8`;
    parts.push(
      `${idf}::float8 * ((${frequency} * 2.2::float8) / (${frequency} + 1.2::float8 * (0.25::float8 + (0.75::float8 * length::float8) / ${mean}::float8)))`,
    );
  }
  return `floor((0::float8 + ${parts.join(' + ')}) * 1e12::float8 + 0.5::float8) / 1e12::float8`;
}

async function sizeOf(
  db: Queryable,
  { fact, value }: SearchScope,
): Promise<{ readonly all: number; readonly terms: number }> {
  const [row] = await db.query<{ all: number; terms: number }>(
    `SELECT coalesce(sum(reflections), 0)::float8 AS all, coalesce(sum(terms), 0)::float8 AS terms
     FROM ralph.memory_repository WHERE ${fact === 'repository' ? 'id' : 'organisation'} = $1`,
    [value],
  );
  return row!;
}

/** Number of the scope's reflections that have a phrase; counting stops at `most`. */
async function countOf(
  db: Queryable,
  { scope, phrase, most }: { readonly scope: SearchScope; readonly phrase: Phrase; readonly most?: number },
): Promise<number> {
  const values = createValues();
  const conditions = [
    scopeCondition(scope, values),
    `terms @@ ${values.add(inScope(scope, [queryOf(phrase)]))}::tsquery`,
  ];
  if (phrase.terms.length > 1) conditions.push(`${frequencyOf(phrase, values)} > 0`);
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ralph.memory_reflection r WHERE ${conditions.join(' AND ')}
     ${most === undefined ? '' : `LIMIT ${values.add(most)}`}) found`,
    values.all,
  );
  return row!.count;
}

/** How often a row has a phrase, weighted by field, as SQL. */
function frequencyOf(phrase: Phrase, values: Values): string {
  const pattern = patternOf(phrase);
  if ('regex' in pattern) {
    const place = values.add(pattern.regex);
    return sumOf((text) => `(SELECT count(*) FROM regexp_matches(${text}, ${place}, 'g'))`);
  }
  const place = `${values.add(pattern.text)}::text`;
  return sumOf(
    (text) =>
      `(octet_length(${text}) - octet_length(replace(${text}, ${place}, ''))) / octet_length(${place})`,
  );
}

function sumOf(count: (text: string) => string): string {
  return `(${['r.heavy', 'r.middle', 'r.light'].map((text, index) => `${WEIGHTS[index]!} * (${count(text)})`).join(' + ')})`;
}
