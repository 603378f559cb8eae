import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { parseRemote, renderRepository } from '../../ci/github/repository-name.ts';

/** A repository of the fleet. */
export interface RepositoryId {
  /** What git clones: a URL, or an absolute path that every worker sees. */
  readonly address: string;
  /** `host/owner/name` in small letters, or the path: what limits, globs and memory name it by. */
  readonly name: string;
  /** `host/owner`, or `local`: limits and memory are shared within it. */
  readonly organisation: string;
}

/** The organisation of repositories that are named by their paths. */
export const LOCAL = 'local';

const MAX_CHARS = 2000;

/** The repository of a URL or of a path relative to `cwd`. Throws a usage error. */
export function repositoryOf(given: string, cwd: string): RepositoryId {
  if (given === '' || given.length > MAX_CHARS || /[\0\r\n]/.test(given) || given.startsWith('-'))
    throw usageError(`${JSON.stringify(given.slice(0, 200))} is not a repository.`, 'Give a URL or a path.');
  if (hasLogin(given))
    throw usageError(
      'The URL of the repository contains a login, which would be stored in the database.',
      "Leave it out: workers use git's own credentials, or GITHUB_TOKEN.",
    );
  const isUrl = /^\w+:\/\//.test(given) && !given.startsWith('file:');
  if (isUrl && !isOfServer(given))
    throw usageError(
      `${JSON.stringify(given.slice(0, 200))} is not the URL of a repository.`,
      'For example https://github.com/octo-org/shop',
    );
  const remote = parseRemote(given);
  if (remote !== undefined) {
    return {
      address: given,
      name: canonicalName(`${remote.host}/${renderRepository(remote.repository)}`),
      organisation: canonicalName(`${remote.host}/${remote.repository.owner}`),
    };
  }
  if (isUrl) {
    const { host, pathname } = new URL(given);
    return {
      address: given,
      name: canonicalName(`${host}${pathname.replace(/\.git$/, '')}`),
      organisation: canonicalName(host),
    };
  }
  const path = given.replace(/^file:\/\//, '');
  return pathId(isAbsolute(path) ? path : resolve(cwd, path), given);
}

/**
 * A name of a repository or an organisation as it is stored: git servers take `Octo/Shop` for `octo/shop`, so that a limit or a
 * pause of the one would not hold for the other. Paths are as they are.
 */
export function canonicalName(name: string): string {
  return name.startsWith('/') ? name : name.toLowerCase();
}

/** As git does, the ending `.git` may be left out. */
function pathId(path: string, given: string): RepositoryId {
  const found = [path, `${path}.git`].find((it) => existsSync(it));
  if (found === undefined)
    throw usageError(`There is no repository at ${given}.`, 'Give a URL, or the path of a repository.');
  const real = realpathSync(found);
  return { address: real, name: real, organisation: LOCAL };
}

/** With a host, which is no option of ssh, and a path. */
function isOfServer(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { hostname, pathname } = new URL(given);
  return hostname !== '' && !hostname.startsWith('-') && /[^/]/.test(pathname);
}

/** A password; over HTTP also a user name and a query, which is where tokens are given. */
function hasLogin(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, password, search } = new URL(given);
  return password !== '' || (/^https?:$/.test(protocol) && (username !== '' || search !== ''));
}
