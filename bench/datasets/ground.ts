import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';
import { installCommandOf } from './install-command.ts';
import { commitAsFirst, linkInstalled, writeCommit } from './plain-repository.ts';

const INSTALL_TIMEOUT_MS = 900_000;

/** How the dependencies of a commit come to its checkouts. */
export interface Installation {
  /** `detect`: the package manager's own command; `link`: those of the clone; otherwise a command line. */
  readonly install: string;
  readonly signal: AbortSignal;
}

/** The files of one commit with their dependencies, from which checkouts are made. */
export interface Ground {
  readonly files: readonly string[];
  /**
   * Makes a repository with one commit of the files, without history, so that it does not hold the fix. Its dependencies are
   * links to the ground's. Returns its absolute path.
   */
  checkout(name: string, prepare?: (root: string) => Promise<void>): Promise<string>;
}

/**
 * Prepares a commit of a clone in a folder (absolute). Throws an Error with the end of the output if its dependencies
 * cannot be installed.
 */
export async function prepareGround(
  source: { readonly clone: string; readonly commit: string },
  folder: string,
  installation: Installation,
): Promise<Ground> {
  const { clone, commit } = source;
  const base = join(folder, 'installed');
  await mkdir(base, { recursive: true });
  const files = await writeCommit(clone, commit, base);
  if (installation.install !== 'link') await installIn(base, installation);
  const installed = installation.install === 'link' ? clone : base;
  return {
    files,
    async checkout(name, prepare) {
      const root = join(folder, name);
      await mkdir(root);
      await writeCommit(clone, commit, root);
      await prepare?.(root);
      await commitAsFirst(root, 'The state before the fix');
      linkInstalled(installed, root, files);
      return root;
    },
  };
}

async function installIn(root: string, { install, signal }: Installation): Promise<void> {
  const command = install === 'detect' ? installCommandOf(root) : install;
  const outcome = await runProcess({
    shell: command,
    cwd: root,
    env: childEnvironment({ npm_config_fetch_retries: '2', npm_config_audit: 'false' }),
    timeoutMs: INSTALL_TIMEOUT_MS,
    signal,
  });
  signal.throwIfAborted();
  if (outcome.exitCode === 0) return;
  const tail = `${outcome.stdout}\n${outcome.stderr}`.trim().slice(-300).replace(/\s+/g, ' ');
  throw new Error(`\`${command}\` failed: ${outcome.timedOut ? 'time limit' : tail}`);
}
