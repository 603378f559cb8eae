import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { messageOf, usageError } from '../../../src/errors.ts';
import type { CommitTask } from './repair.ts';

/** The commits to repair: those of one clone, or a list. */
export interface TargetRequest {
  /** Path of a local clone. */
  readonly repository?: string;
  /** Commits of that clone. */
  readonly commits: readonly string[];
  /** Path of a JSON list of repositories and commits. */
  readonly from?: string;
  /** Path of the folder with the clones of the list, each named like its repository. */
  readonly clones?: string;
}

interface ListedRepository {
  readonly repository: string;
  readonly commits: readonly string[];
}

/** Resolves the commits of a request. Throws a usage error for an incomplete request or an invalid list. */
export async function readTargets({
  repository,
  commits,
  from,
  clones,
}: TargetRequest): Promise<CommitTask[]> {
  if (from !== undefined) {
    if (repository !== undefined)
      throw usageError('--from and a repository exclude each other.', 'Give one of them.');
    if (clones === undefined) throw usageError('--from needs the folder of the clones.', 'Add --clones DIR.');
    return targetsOf(await readList(from), clones);
  }
  if (repository === undefined || commits.length === 0)
    throw usageError('No commit is given.', 'ralph bench commits REPOSITORY COMMIT…');
  return targetsOf([{ repository: basename(resolve(repository)), commits }], join(repository, '..'));
}

/** `owner/name` is cloned at `<clones>/<name>`. */
async function targetsOf(list: readonly ListedRepository[], clones: string): Promise<CommitTask[]> {
  const targets: CommitTask[] = [];
  for (const { repository, commits } of list) {
    const clone = resolve(clones, basename(repository));
    const found = await stat(clone).catch(() => undefined);
    if (found?.isDirectory() !== true)
      throw usageError(`${clone} is not a folder: clone ${repository} to it.`);
    targets.push(...commits.map((commit) => ({ repository, clone, commit })));
  }
  return targets;
}

async function readList(file: string): Promise<ListedRepository[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw usageError(`--from ${file} cannot be read: ${messageOf(error)}`);
  }
  if (!Array.isArray(value)) throw usageError(`--from ${file}: it must be a list.`);
  const wrong = value.findIndex((item) => !isListed(item));
  if (wrong >= 0)
    throw usageError(
      `--from ${file}: entry ${wrong + 1} must be { "repository": "owner/name", "commits": ["id", …] }.`,
    );
  return value as ListedRepository[];
}

function isListed(item: unknown): item is ListedRepository {
  if (typeof item !== 'object' || item === null) return false;
  const { repository, commits } = item as Partial<ListedRepository>;
  return (
    typeof repository === 'string' &&
    basename(repository) !== '' &&
    Array.isArray(commits) &&
    commits.every((commit) => typeof commit === 'string')
  );
}
