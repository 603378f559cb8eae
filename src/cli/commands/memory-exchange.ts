import { isAbsolute } from 'node:path';
import { usageError } from '../../errors.ts';
import { databaseError } from '../../fleet/database/database-error.ts';
import { openDatabase, type Database } from '../../fleet/database/database.ts';
import { requireAddress } from '../../fleet/database/address.ts';
import { migrate } from '../../fleet/database/migrate.ts';
import { eraseRepository } from '../../fleet/memory/erase.ts';
import { pullMemory, pushMemory } from '../../fleet/memory/exchange.ts';
import { grantMemory, organisationsOf, revokeMemory, type Member } from '../../fleet/memory/members.ts';
import { claimedRepository, namedRepository } from '../../fleet/queue/named-repository.ts';
import type { RepositoryId } from '../../fleet/queue/repository-id.ts';
import type { SyncReport } from '../../memory/store/sync.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseWholeNumber } from '../values.ts';

export interface ExchangeCommandOptions extends OutputOptions {
  readonly repository?: string;
  readonly reflections?: string;
}

const DEFAULT_REFLECTIONS = '10000';

/** `ralph memory push`. */
export function pushCommand(options: ExchangeCommandOptions): Promise<void> {
  return withMemory(async (database) => {
    const request = await requestFrom(database, options);
    const report = await pushMemory(request);
    const { name } = request.repository;
    printResult(options, { repository: name, place: database.place, ...report }, () => [
      `Memory of ${name} at ${database.place}: ${textsOf(report).join(', ')}.`,
    ]);
  });
}

/** `ralph memory pull`. */
export function pullCommand(options: ExchangeCommandOptions): Promise<void> {
  return withMemory(async (database) => {
    const request = await requestFrom(database, options);
    const report = await pullMemory(request);
    const { name } = request.repository;
    const texts = [...textsOf(report), `${plural(report.shared, 'pattern')} of other repositories`];
    printResult(options, { repository: name, place: database.place, ...report }, () => [
      `Memory of ${name} in these files: ${texts.join(', ')}.`,
    ]);
  });
}

/** `ralph memory erase --repository NAME --yes`. */
export function eraseCommand(
  options: OutputOptions & { readonly repository?: string; readonly yes?: boolean },
): Promise<void> {
  const { repository, yes } = options;
  if (repository === undefined || yes !== true)
    throw usageError(
      'ralph memory erase needs --repository NAME and --yes: it deletes all that the database has of the repository.',
      'For example: ralph memory erase --repository github.com/octo/shop --yes. Files of a repository stay; see ralph memory reset.',
    );
  return withMemory(async (database) => {
    const erased = await eraseRepository(database, repository);
    printResult(options, { repository, ...erased }, () => [
      `Erased of ${repository}: ${plural(erased.reflections, 'reflection')}, ${plural(erased.lessons, 'lesson')}, ${plural(erased.jobs, 'job')}.`,
    ]);
  });
}

/** `ralph fleet grant ROLE ORGANISATION`. */
export function grantCommand(member: Member, options: OutputOptions): Promise<void> {
  return withMemory(async (database) => {
    await grantMemory(database, member);
    printResult(options, member, () => [
      `The role ${member.role} uses the memory of ${member.organisation}, and nothing else of the fleet.`,
    ]);
  });
}

/** `ralph fleet revoke ROLE ORGANISATION`. */
export function revokeCommand(member: Member, options: OutputOptions): Promise<void> {
  return withMemory(async (database) => {
    const revoked = await revokeMemory(database, member);
    printResult(options, { ...member, revoked }, () => [
      revoked
        ? `The role ${member.role} sees nothing of ${member.organisation} any more.`
        : `The role ${member.role} was no member of ${member.organisation}.`,
    ]);
  });
}

/** Without the queue: a member of an organisation has no right to it. */
async function withMemory(act: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase({ url: requireAddress(process.env), connections: 2 });
  try {
    await migrate(database);
    await act(database);
  } catch (error) {
    throw databaseError(error, database.place);
  } finally {
    await database.close();
  }
}

async function requestFrom(database: Database, { repository, reflections }: ExchangeCommandOptions) {
  const root = findRepositoryRoot(process.cwd());
  return {
    database,
    root,
    repository:
      repository === undefined
        ? await ownRepository(database, root)
        : namedRepository(repository, process.cwd()),
    reflections: parseWholeNumber('--reflections', reflections ?? DEFAULT_REFLECTIONS),
  };
}

/**
 * The repository of a folder. What its origin claims counts if the server has given this role the organisation's memory; who may
 * use all of it, as the owner of the tables, says which one is meant. Throws a usage error.
 */
async function ownRepository(database: Database, root: string): Promise<RepositoryId> {
  const claimed = await claimedRepository(root);
  if (claimed === undefined) return namedRepository(root, root);
  if ((await organisationsOf(database)).includes(claimed.organisation)) return claimed;
  const name = printable(isAbsolute(claimed.name) ? claimed.name : `https://${claimed.name}`);
  throw usageError(
    `The origin of this folder says that it is ${printable(claimed.name)}, which anybody can write into a checkout.`,
    `If you want the memory of that repository: --repository ${name}\nFor the memory of this folder alone: --repository .`,
  );
}

function textsOf({
  reflections,
  refused_reflections: refused,
  lessons,
  insights,
  playbook,
  repairs,
}: SyncReport): string[] {
  return [
    `${plural(reflections, 'new reflection')}${refused > 0 ? ` (${refused} refused)` : ''}`,
    `${plural(lessons.added, 'new lesson')}, ${lessons.changed} changed${lessons.refused > 0 ? `, ${lessons.refused} refused` : ''}`,
    `${plural(repairs, 'new repair')}`,
    `insights ${insights ? 'changed' : 'unchanged'}`,
    `playbook ${playbook ? 'replaced' : 'unchanged'}`,
  ];
}
