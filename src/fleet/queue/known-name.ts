import { usageError } from '../../errors.ts';
import type { Queryable } from '../database/database.ts';
import { canonicalName } from './repository-id.ts';

/** The name of a repository or an organisation. */
export interface KnownName {
  /** In full, such as `github.com/octo/shop` for `octo/shop`; as given if no job has it. */
  readonly name: string;
  /** False if no job of it was ever submitted. */
  readonly isKnown: boolean;
}

/**
 * Completes a name by those of submitted jobs: lists show the last two parts. Throws a usage error if several names fit.
 */
export async function knownName(
  db: Queryable,
  kind: 'repository' | 'organisation',
  text: string,
): Promise<KnownName> {
  const given = canonicalName(text);
  const rows = await db.query<{ name: string }>(
    `SELECT DISTINCT ${kind} AS name FROM ralph.lane, unnest($1::text[]) AS given
     WHERE ${kind} = given OR right(${kind}, length(given) + 1) = '/' || given ORDER BY 1`,
    // The end of a path, or of a name.
    [[text, given]],
  );
  const names = rows.map(({ name }) => name);
  if (names.includes(given)) return { name: given, isKnown: true };
  if (names.length > 1)
    throw usageError(
      `${given} is the end of several names: ${names.slice(0, 5).join(', ')}.`,
      'Give the whole name.',
    );
  return { name: names[0] ?? given, isKnown: names.length === 1 };
}
