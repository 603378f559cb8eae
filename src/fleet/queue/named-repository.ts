import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { isFolder } from '../../platform/files/is-folder.ts';
import { runGit } from '../../platform/git/git.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { LOCAL, repositoryOf, type RepositoryId } from './repository-id.ts';

/** Checkouts of checkouts that are followed to the repository that they are of. */
const MOST_CLONES = 5;

/**
 * The repository of a URL, or of a path relative to `cwd`, which has its own path as its name: what a checkout's configuration
 * says of its origin is a claim, by which it would get the memory, the limits and the budget of others. Throws RalphError.
 */
export function namedRepository(given: string, cwd: string): RepositoryId {
  const path = resolve(cwd, given.replace(/^file:\/\//, ''));
  if (!isFolder(path)) return repositoryOf(given, cwd);
  return repositoryOf(isBare(path) ? path : findRepositoryRoot(path), cwd);
}

/**
 * The repository at a path under the name of `other`, by the word of who gives both: workers fetch it from the path, where
 * commits may be that the other one does not have. Throws a usage error if `given` is no path.
 */
export function repositoryNamedAs(given: string, other: string, cwd: string): RepositoryId {
  const own = namedRepository(given, cwd);
  if (own.organisation !== LOCAL || !isAbsolute(own.address))
    throw usageError(
      `${given} is a URL, which has a name already, so --as cannot give it another one.`,
      'Leave --as out.',
    );
  return { ...namedRepository(other, cwd), address: own.address };
}

/**
 * The repository that a checkout says to be of by its origin; of a checkout of a checkout, by that one's. Undefined for a bare
 * repository, and without an origin that can be one.
 */
export async function claimedRepository(root: string): Promise<RepositoryId | undefined> {
  const own = namedRepository(root, root);
  const claimed = await originOf(own, MOST_CLONES);
  return claimed.name === own.name ? undefined : claimed;
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
    origin = repositoryOf(withoutLogin(url), own.address);
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

function withoutLogin(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.password = '';
  if (/^https?:$/.test(parsed.protocol)) {
    parsed.username = '';
    parsed.search = '';
  }
  return parsed.href === new URL(url).href ? url : parsed.href;
}
