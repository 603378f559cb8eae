import { createHash } from 'node:crypto';
import { accessSync, constants, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExitCode, messageOf, RalphError } from '../../errors.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { tryLock } from '../../platform/files/sqlite-lock.ts';

/** The folder of a machine's workers: mirrors, installed dependencies, and one folder for each running job. */
export interface WorkerPlace {
  /** Absolute path. */
  readonly root: string;
  /** Bare mirror of a repository. */
  mirror(address: string): string;
  /** Installed dependencies of a lockfile. */
  dependencies(hash: string): string;
  /** What package managers keep for one repository: others cannot be served what it put there. */
  cache(address: string): string;
  /** Opens the folder of a job. If another process of this machine still works in it, another one is opened. */
  openJob(id: string): JobFolder;
  /** Runs `act` while no other process of this machine does the same under this name. */
  exclusive<T>(name: string, act: () => Promise<T>): Promise<T>;
}

/** The folder of one job. */
export interface JobFolder {
  /** Absolute path; the same on every machine whose workers have the same `--folder`. */
  readonly root: string;
  /** Removes the folder and all that is in it. */
  close(): void;
}

const POLL_MS = 50;

/** The folder of `--folder`, or `ralph/worker` in the user's cache. Makes it if it is missing. Throws RalphError if it cannot be used. */
export function openWorkerPlace(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): WorkerPlace {
  const { XDG_CACHE_HOME: cache = '', HOME: home = homedir() } = env;
  const root = given ?? join(cache.startsWith('/') ? cache : join(home, '.cache'), 'ralph', 'worker');
  makeFolders(root);
  const lockFile = (name: string): string => join(root, 'locks', `${name.replace(/[^\w.-]/g, '_')}.sqlite`);
  return {
    root,
    mirror: (address) => join(root, 'mirrors', `${hashOf(address)}.git`),
    dependencies: (hash) => join(root, 'dependencies', hash),
    cache: (address) => join(root, 'caches', hashOf(address)),
    openJob(id) {
      for (let number = 1; ; number++) {
        const name = number === 1 ? id : `${id}-${number}`;
        const lockAt = lockFile(`job-${name}`);
        const attempt = tryLock(lockAt, { waitMs: 0 });
        if (attempt.kind === 'failed') throw attempt.error;
        if (attempt.kind === 'busy') continue;
        const folder = join(root, 'jobs', name);
        rmSync(folder, { recursive: true, force: true });
        makeFolder(folder);
        return {
          root: folder,
          close() {
            rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
            attempt.lock.release();
            rmSync(lockAt, { force: true });
          },
        };
      }
    },
    async exclusive(name, act) {
      for (;;) {
        const attempt = tryLock(lockFile(name), { waitMs: 0 });
        if (attempt.kind === 'failed') throw attempt.error;
        if (attempt.kind === 'busy') await sleep(POLL_MS);
        else
          try {
            return await act();
          } finally {
            attempt.lock.release();
          }
      }
    },
  };
}

function makeFolders(root: string): void {
  try {
    for (const name of ['mirrors', 'dependencies', 'jobs', 'locks']) {
      makeFolder(join(root, name));
      accessSync(join(root, name), constants.W_OK);
    }
  } catch (error) {
    throw new RalphError(`The folder of the worker, ${root}, cannot be used: ${messageOf(error)}`, {
      code: 'workspace_unwritable',
      exitCode: ExitCode.workspace,
      hint: 'Name a folder in which it may write: ralph worker --folder DIR',
      cause: error,
    });
  }
}

/** A short name for a text of any length. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
