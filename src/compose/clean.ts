import { existsSync, rmSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock } from '../state/lock.ts';
import { makeFoldersWritable } from '../workspace/make-writable.ts';
import type { Pruned } from '../workspace/snapshots/prune.ts';
import { workspaceHomes } from '../workspace/workspace-dir.ts';
import { pruneOldTrees } from './old-trees.ts';
import type { Project } from './project.ts';

/** What was removed, or would be. */
export interface Cleaned {
  readonly snapshots: Pruned;
  readonly workspaces: readonly RemovedFolder[];
}

export interface RemovedFolder {
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
}

const CLEAN_ID = 'ralph-clean';

/**
 * Removes what the next loop makes again, and the snapshots that nothing needs. Throws RalphError `locked` where a loop runs
 * in the repository.
 */
export async function cleanRepository(
  { repository, settings }: Pick<Project, 'repository' | 'settings'>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Cleaned> {
  const lock = acquireLock(repository.root, { loopId: CLEAN_ID, command: 'clean' });
  try {
    const snapshots = await pruneOldTrees(repository.root, { dryRun });
    const workspaces: RemovedFolder[] = [];
    for (const path of workspaceHomes(repository, settings.workspaceDir)) {
      workspaces.push({ path, bytes: await bytesOf(path) });
      if (!dryRun) removeFolder(path);
    }
    return { snapshots, workspaces };
  } finally {
    lock.release();
  }
}

function removeFolder(path: string): void {
  makeFoldersWritable(path);
  if (existsSync(path)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

const BLOCK = 512;

/** Bytes on disk of all files below a folder. Never rejects. */
async function bytesOf(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await bytesOf(path);
    else sum += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * BLOCK;
  }
  return sum;
}
