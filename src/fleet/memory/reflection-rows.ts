import type { AiwgRecord } from '../../memory/episodes/aiwg-record.ts';
import { identityOf } from '../../memory/exchange/identity.ts';
import { filesOf, timeOf } from '../../memory/search/search.ts';
import type { ReflectionStore } from '../../memory/store/contract.ts';
import { validate } from '../../schema/validate.ts';
import type { Queryable } from '../database/database.ts';
import type { StoredRepository } from './repository-row.ts';
import { searchRows } from './search-rows.ts';
import { searchTexts } from './search-terms.ts';

/** A reflection and its path in a repository. */
export interface PlacedReflection {
  readonly path: string;
  readonly record: AiwgRecord;
}

/** The reflections of a repository in the database. Rejects with the driver's error. */
export function createReflectionRows(db: Queryable, repository: StoredRepository): ReflectionStore {
  return {
    async digestAt(path) {
      const [row] = await db.query<{ digest: string }>(
        'SELECT digest FROM ralph.memory_reflection WHERE repository = $1 AND path = $2',
        [repository.id, path],
      );
      return row?.digest;
    },
    create: async (path, record) => (await addReflections(db, repository, [{ path, record }])) === 1,
    async newest(most) {
      const rows = await db.query<{ record: string }>(
        `SELECT record FROM ralph.memory_reflection WHERE repository = $1 ORDER BY time DESC, iteration DESC, path LIMIT $2`,
        [repository.id, most],
      );
      return rows.map(({ record }) => JSON.parse(record) as AiwgRecord);
    },
    search: (query) => searchRows(db, { fact: 'repository', value: repository.id }, query),
  };
}

/** Adds reflections that satisfy a schema, in one statement each batch; one at a taken path is left out. Returns how many. */
export async function addReflections(
  db: Queryable,
  repository: StoredRepository,
  placed: readonly PlacedReflection[],
): Promise<number> {
  const rows = placed.map((one) => toRow(repository, one));
  // PostgreSQL's texts have no NUL character.
  const names = placed.flatMap(({ record }) => filesOf(record)).filter((name) => !name.includes('\0'));
  const files = [...new Set(names)];
  await db.query(
    `INSERT INTO ralph.memory_file (repository, organisation, name) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`,
    [repository.id, repository.organisation, files],
  );
  const added = await db.query(
    `INSERT INTO ralph.memory_reflection
       (repository, organisation, path, digest, number, source, time, iteration, confidence, length, heavy, middle, light, terms, record)
     SELECT $1, $2, path, digest, number, source, time, iteration, confidence, length, heavy, middle, light,
       array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(lexemes))), record
     FROM jsonb_to_recordset($3::jsonb) AS r (path text, digest text, number bigint, source text, time bigint,
       iteration bigint, confidence float8, length int, heavy text, middle text, light text, lexemes jsonb, record text)
     ON CONFLICT (repository, path) DO NOTHING RETURNING 1`,
    [repository.id, repository.organisation, JSON.stringify(rows)],
  );
  return added.length;
}

function toRow({ id, organisation }: StoredRepository, { path, record }: PlacedReflection) {
  const { length, byWeight, lexemes } = searchTexts(record, [
    ['repository', id],
    ['organisation', organisation],
  ]);
  const [heavy, middle, light] = byWeight;
  return {
    path,
    digest: identityOf(record).digest,
    number: record.iteration + 1,
    source: validate('reflection', record).ok ? 'ralph' : 'aiwg',
    time: timeOf(record),
    iteration: record.iteration,
    confidence: record.self_reflection.confidence ?? null,
    ...{ length, heavy, middle, light, lexemes },
    record: JSON.stringify(record),
  };
}
