import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { Repository } from './repository.ts';

export interface WorkspaceHome {
  /** Absolute real path of the tree that actors edit. The same for every attempt and loop of the repository. */
  readonly tree: string;
  /** Absolute path of the folder for the checks' caches, beside the tree. */
  readonly cache: string;
}

/**
 * Makes the folders of a repository's workspace, readable by this user alone:
 * `<workspaceDir or the system's temporary folder>/ralph-<uid>/<name>-<hash>/{tree,cache}`. No part of it that
 * is made here begins with a dot: test runners and linters leave such folders out. Throws RalphError with
 * exit code 4 where the place belongs to somebody else, is a link, lies in the repository or cannot be written.
 * Loops that run side by side have a `lane` each, from 2 on: a place of its own.
 */
export function openWorkspaceHome(repository: Repository, workspaceDir?: string, lane = 1): WorkspaceHome {
  const parent = realParent(workspaceDir ?? tmpdir());
  refuseInside(repository.root, parent);
  const own = makePrivate(join(parent, `ralph-${userInfo().uid}`));
  const home = makePrivate(join(own, `${nameOf(repository.root)}${lane === 1 ? '' : `-${lane}`}`));
  return { tree: makePrivate(join(home, 'tree')), cache: makePrivate(join(home, 'cache')) };
}

/** Absolute path of the folder for the checks' caches of a repository; it is kept between loops. */
export function checksCacheDir(repository: Repository, workspaceDir?: string, lane?: number): string {
  return openWorkspaceHome(repository, workspaceDir, lane).cache;
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
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
}

function refuseInside(root: string, parent: string): void {
  const inside = relative(root, parent);
  if (inside === '..' || inside.startsWith(`..${sep}`)) return;
  throw unusable(parent, 'it lies in the repository, whose copy it would hold');
}

/** Another user's folder, or a link, could show the checks other files than the ones that were written. */
function makePrivate(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    if (!found.isDirectory()) throw new Error('it is not a folder');
    if (found.uid !== userInfo().uid) throw new Error('it belongs to another user');
    if ((found.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
    return path;
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
}

function unusable(path: string, why: string, cause?: unknown): RalphError {
  return new RalphError(`The workspace cannot be kept in ${path}: ${why}.`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Set workspaceDir to a folder outside the repository that you alone may write to.',
    cause,
  });
}
