import { usageError } from '../../errors.ts';
import type { Settings } from '../../config/settings.ts';
import type { Config } from '../../schema/generated.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Settings that the file of a repository cannot have while the fleet has a budget in dollars: a repository that says what a model
 * costs would say what it pays.
 */
export async function settingsOfFlagsOnly(db: Queryable): Promise<ReadonlySet<string>> {
  const [row] = await db.query<{ counts: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM ralph.pool WHERE cost_usd IS NOT NULL) AS counts',
  );
  return new Set(row!.counts ? ['prices'] : []);
}

/**
 * Throws a usage error if the file of a repository names a model of which the fleet has a limit or a budget, and the job does not:
 * it was taken, and would be charged, as one without the model.
 */
export async function requireNamedModels(
  db: Queryable,
  { model, acceptanceModel, judge }: Pick<Settings, 'model' | 'acceptanceModel' | 'judge'>,
  job: Config,
): Promise<void> {
  const used = [model.name, model.reflectorName, ...model.fallbacks, acceptanceModel, judge];
  const { model: own, reflectorModel, fallbackModels = [], acceptanceModel: writer, judge: second } = job;
  const given = [own, reflectorModel, ...fallbackModels, writer, second];
  const unnamed = used.filter((name) => name !== undefined && !given.includes(name));
  if (unnamed.length === 0) return;
  const [counted] = await db.query<{ name: string }>(
    `SELECT name FROM (SELECT kind, name FROM ralph.pool UNION ALL SELECT kind, name FROM ralph.most) r
     WHERE kind = 'model' AND name = ANY($1) LIMIT 1`,
    [unnamed],
  );
  if (counted === undefined) return;
  throw usageError(
    `The configuration file of the repository names the model ${counted.name}, of which the fleet has a limit or a budget, and the job does not.`,
    `Submit it with --model ${counted.name}, or name another one.`,
  );
}
