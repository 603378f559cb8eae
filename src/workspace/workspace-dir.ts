import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { makeFolder } from '../platform/files/make-folder.ts';
import { makePrivateFolder } from '../platform/files/private-folder.ts';
import { ownUserId } from '../platform/processes/own-user.ts';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { Repository } from './repository.ts';

/** The folders of one workspace. */
export interface WorkspaceHome {
  /** Absolute real path of the tree that actors edit. The same for every attempt and loop of the repository. */
  readonly tree: string;
  /** Absolute path of the folder for the checks' caches, beside the tree. */
  readonly cache: string;
}

/**
 * Creates the folders of a repository's workspace, with access for this user only:
 * `<workspaceDir or the system's temporary folder>/ralph-<uid>/<name>-<hash>/{tree,cache}`. No created folder begins with
 * a dot, because test runners and linters skip such folders. Loops that run at the same time have different slots; slots
 * from 2 on add a suffix to the folder's name. Throws RalphError with exit code 4 if a folder belongs to another user, is
 * a link, lies in the repository or cannot be written.
 */
export function openWorkspaceHome(repository: Repository, workspaceDir?: string, slot = 1): WorkspaceHome {
  const parent = realParent(workspaceDir ?? tmpdir());
  refuseInside(repository.root, parent);
  const own = makePrivate(join(parent, `ralph-${ownUserId()}`));
  const home = makePrivate(join(own, `${nameOf(repository.root)}${slot === 1 ? '' : `-${slot}`}`));
  return { tree: makePrivate(join(home, 'tree')), cache: makePrivate(join(home, 'cache')) };
}

/** Absolute paths of the existing folders of a repository's workspaces, one for each slot. */
export function workspaceHomes(repository: Repository, workspaceDir?: string): string[] {
  const own = join(realParent(workspaceDir ?? tmpdir()), `ralph-${ownUserId()}`);
  const name = nameOf(repository.root);
  const isHome = (one: string): boolean =>
    one === name || (one.startsWith(`${name}-`) && /^\d+$/.test(one.slice(name.length + 1)));
  return existsSync(own)
    ? readdirSync(own)
        .filter(isHome)
        .map((one) => makePrivate(join(own, one)))
    : [];
}

/** Absolute path of the folder for the checks' caches; it is kept between loops. */
export function checksCacheDir(repository: Repository, workspaceDir?: string, slot?: number): string {
  return openWorkspaceHome(repository, workspaceDir, slot).cache;
}

function nameOf(root: string): string {
  const plain = basename(root)
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 60);
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  return `${plain === '' ? 'repository' : plain}-${hash}`;
}

function realParent(path: string): string {
  try {
    makeFolder(path);
    return realpathSync(path);
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
}

function refuseInside(root: string, parent: string): void {
  const inside = relative(root, parent);
  if (inside === '..' || inside.startsWith(`..${sep}`)) return;
  throw unusable(parent, 'it lies in the repository');
}

function makePrivate(path: string): string {
  try {
    return makePrivateFolder(path);
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
}

function unusable(path: string, why: string, cause?: unknown): RalphError {
  return new RalphError(`The workspace cannot be kept in ${path}: ${why}.`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Set workspaceDir to a folder outside the repository that only you may write to.',
    cause,
  });
}
