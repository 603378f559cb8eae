import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFolder } from '../../platform/files/is-folder.ts';
import { runGit } from '../../platform/git/git.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { repositoryOf, type RepositoryId } from './repository-id.ts';

/** Checkouts of checkouts that are followed to the repository that they are of. */
const MOST_CLONES = 5;

/**
 * The repository of a URL, or of a path relative to `cwd`. A checkout has the name of its origin, as has the same repository
 * by its URL: limits and memory are the same. Workers fetch it from the path all the same, where commits may be that the
 * origin does not have. A bare repository, and a checkout without an origin, has its own path as its name. Throws RalphError.
 */
export async function namedRepository(given: string, cwd: string): Promise<RepositoryId> {
  const path = resolve(cwd, given.replace(/^file:\/\//, ''));
  if (!isFolder(path)) return repositoryOf(given, cwd);
  const own = repositoryOf(isBare(path) ? path : findRepositoryRoot(path), cwd);
  return { ...(await originOf(own, MOST_CLONES)), address: own.address };
}

function isBare(path: string): boolean {
  return existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'));
}

async function originOf(own: RepositoryId, clones: number): Promise<RepositoryId> {
  if (isBare(own.address) || clones === 0) return own;
  const url = await originUrl(own.address);
  if (url === undefined) return own;
  let origin: RepositoryId;
  try {
    origin = repositoryOf(withoutPassword(url), own.address);
  } catch {
    return own;
  }
  return isFolder(origin.address) ? originOf(origin, clones - 1) : origin;
}

/**
 * The URL of the remote as it is configured. What git makes of it (`url.*.insteadOf`) is how this machine gets access, often
 * with a password; it is the name only of an abbreviation, such as `gh:octo/shop`.
 */
async function originUrl(root: string): Promise<string | undefined> {
  const configured = await firstLine(root, ['config', '--get-all', 'remote.origin.url']);
  if (configured === undefined || !isAbbreviation(configured)) return configured;
  return (await firstLine(root, ['remote', 'get-url', 'origin'])) ?? configured;
}

async function firstLine(root: string, args: readonly string[]): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit(args, { cwd: root });
  const line = stdout.toString('utf8').split('\n', 1)[0]!;
  return exitCode === 0 && line !== '' ? line : undefined;
}

/** True for `gh:octo/shop`, whose host is none: it has neither a user nor a dot. */
function isAbbreviation(url: string): boolean {
  return /^[\w-]+:(?!\/\/)/.test(url);
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.password === '') return url;
  parsed.password = '';
  return parsed.href;
}
