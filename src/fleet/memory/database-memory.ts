import type { SharedPatterns } from '../../memory/store/crossing.ts';
import { repairKey, type MemoryDocument, type RepositoryMemory } from '../../memory/store/contract.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import type { EverySchema, Lesson, Repair } from '../../schema/generated.ts';
import { validate } from '../../schema/validate.ts';
import type { Database } from '../database/database.ts';
import { createLessonRows } from './lesson-rows.ts';
import { createReflectionRows } from './reflection-rows.ts';
import type { StoredRepository } from './repository-row.ts';

/** As many repairs as the file keeps. */
const MOST_REPAIRS = 1000;

/** The memory of a repository in the database of a fleet. Rejects with the driver's error. */
export function createDatabaseMemory(database: Database, repository: StoredRepository): RepositoryMemory {
  const { id, organisation } = repository;
  return {
    lessons: createLessonRows(database, repository),
    reflections: createReflectionRows(database, repository),
    insights: createDocumentRow(database, repository, 'insights'),
    playbook: createDocumentRow(database, repository, 'playbook'),
    repairs: {
      async read() {
        const rows = await database.query<{ repair: string }>(
          `SELECT repair FROM (SELECT seq, repair FROM ralph.memory_repair WHERE repository = $1 ORDER BY seq DESC LIMIT $2) r
           ORDER BY seq`,
          [id, MOST_REPAIRS],
        );
        return rows.map(({ repair }) => JSON.parse(repair) as Repair);
      },
      async add(repairs) {
        const valid = repairs
          .map((repair) => redactValue(repair))
          .filter((one) => validate('repair', one).ok);
        const added = await database.query(
          `INSERT INTO ralph.memory_repair (repository, organisation, key, operator, repair)
           SELECT $1, $2, r.key, r.operator, r.repair FROM jsonb_to_recordset($3::jsonb) AS r (key text, operator text, repair text)
           ON CONFLICT DO NOTHING RETURNING 1`,
          [id, organisation, JSON.stringify(valid.map((repair) => toRow(repair)))],
        );
        return added.length;
      },
    },
  };
}

/** What other repositories may tell this one; the database shows other organisations' operators alone. */
export async function readSharedPatterns(
  database: Database,
  { id, organisation }: StoredRepository,
): Promise<SharedPatterns> {
  const lessons = await database.query<{ lesson: string }>(
    'SELECT lesson FROM ralph.memory_lesson WHERE organisation = $1 AND repository <> $2',
    [organisation, id],
  );
  const operators = await database.query<{ operator: string }>(
    'SELECT ralph.operators_elsewhere($1) AS operator',
    [id],
  );
  return {
    organisation: lessons.map(({ lesson }) => JSON.parse(lesson) as Lesson),
    operators: operators.map(({ operator }) => operator),
  };
}

function toRow(repair: Repair) {
  return { key: repairKey(repair), operator: repair.operator, repair: JSON.stringify(repair) };
}

type DocumentName = 'insights' | 'playbook';

function createDocumentRow<N extends DocumentName>(
  database: Database,
  { id, organisation }: StoredRepository,
  name: N,
): MemoryDocument<EverySchema[`${N}.schema.json`]> {
  type Value = EverySchema[`${N}.schema.json`];
  const read = async (db: Pick<Database, 'query'>): Promise<Value | undefined> => {
    const [row] = await db.query<{ value: string }>(
      'SELECT value FROM ralph.memory_document WHERE repository = $1 AND name = $2',
      [id, name],
    );
    const checked = row === undefined ? undefined : validate(name, JSON.parse(row.value));
    return checked?.ok === true ? (checked.value as Value) : undefined;
  };
  return {
    read: () => read(database),
    change: (act) =>
      database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM ralph.memory_repository WHERE id = $1 FOR UPDATE', [id]);
        const next = act(await read(tx));
        if (next === undefined) return false;
        await tx.query(
          `INSERT INTO ralph.memory_document (repository, organisation, name, value) VALUES ($1, $2, $3, $4)
           ON CONFLICT (repository, name) DO UPDATE SET value = excluded.value`,
          [id, organisation, name, JSON.stringify(redactValue(next))],
        );
        return true;
      }),
  };
}
