import { LessonBook } from '../../memory/lessons/book.ts';
import type { AuditRow } from '../../memory/lessons/contract.ts';
import type { LessonRecords } from '../../memory/lessons/records.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import type { Lesson } from '../../schema/generated.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { StoredRepository } from './repository-row.ts';

/** Audit rows of a repository that are kept, the newest. */
const MOST_AUDIT_ROWS = 2000;

/** The lessons of a repository in the database: a change holds a lock on the repository's row. */
export function createLessonRows(database: Database, { id, organisation }: StoredRepository): LessonRecords {
  const read = async (db: Queryable): Promise<Lesson[]> => {
    const rows = await db.query<{ lesson: string }>(
      'SELECT lesson FROM ralph.memory_lesson WHERE repository = $1 ORDER BY seq',
      [id],
    );
    return rows.map(({ lesson }) => JSON.parse(lesson) as Lesson);
  };
  return {
    list: () => read(database),
    change: (act) =>
      database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM ralph.memory_repository WHERE id = $1 FOR UPDATE', [id]);
        const book = new LessonBook(await read(tx), new Date());
        const result = act(book);
        await tx.query(
          `INSERT INTO ralph.memory_lesson (repository, organisation, id, lesson)
           SELECT $1, $2, l.lesson::jsonb->>'id', l.lesson FROM unnest($3::text[]) WITH ORDINALITY AS l (lesson, n) ORDER BY n
           ON CONFLICT (repository, id) DO UPDATE SET lesson = excluded.lesson`,
          [id, organisation, book.changed.map((lesson) => JSON.stringify(redactValue(lesson)))],
        );
        await tx.query(
          `INSERT INTO ralph.memory_audit (repository, organisation, entry)
           SELECT $1, $2, a.entry FROM unnest($3::text[]) WITH ORDINALITY AS a (entry, n) ORDER BY n`,
          [id, organisation, book.audit.map((row) => JSON.stringify(redactValue(row)))],
        );
        await tx.query(
          `DELETE FROM ralph.memory_audit WHERE repository = $1 AND seq <= (
             SELECT seq FROM ralph.memory_audit WHERE repository = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`,
          [id, MOST_AUDIT_ROWS],
        );
        return result;
      }),
    async history() {
      const rows = await database.query<{ entry: string }>(
        'SELECT entry FROM ralph.memory_audit WHERE repository = $1 ORDER BY seq',
        [id],
      );
      return rows.map(({ entry }) => JSON.parse(entry) as AuditRow);
    },
  };
}
