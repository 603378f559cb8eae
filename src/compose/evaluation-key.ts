import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCarried } from '../workspace/carry.ts';
import type { ProjectPlan } from '../ports/plan.ts';
import type { Repository } from '../workspace/repository.ts';
import { hashOf, installedStamps, programVersions } from './installed-stamp.ts';
import type { Project } from './project.ts';

/**
 * Changes with everything but the tree and the ignored files that the result of the checks depends on: the checks, their
 * settings, Node, ralph and the installed packages. What the caches are valid for.
 */
export function setupKey({ repository, plan, settings }: Project): string {
  const installed = installedStamps(repository.root, foldersOf(plan));
  const { checks, testCommand } = plan;
  const { noRegressions, holdout, sandbox, isolation, checkTimeoutMs } = settings;
  return hashOf([
    { checks, testCommand },
    { noRegressions, holdout, sandbox, isolation, checkTimeoutMs },
    programVersions(),
    installed,
  ]);
}

/** Changes with `setup` and with the ignored files that are copied into the workspace, which are relative to the root. */
export function surroundingsKey(setup: string, root: string, carried: readonly string[]): string {
  return hashOf([setup, contentsOf(root, carried)]);
}

/** Folders of a plan in which packages may be installed, relative to the root. */
export function foldersOf({ packageDir, checks }: ProjectPlan): string[] {
  return [...new Set(['.', packageDir, ...checks.map(({ cwd }) => cwd)])];
}

/**
 * Changes with what a plan reads beside the tree: installed packages, and the ignored files that are copied. `found`: these
 * files, where they are known.
 */
export async function surroundingsStamp(
  repository: Repository,
  { folders, carry }: { readonly folders: readonly string[]; readonly carry: readonly string[] },
  found?: readonly string[],
): Promise<string> {
  const carried = found ?? (await findCarried(repository, carry));
  const installed = installedStamps(repository.root, folders);
  return hashOf([programVersions(), installed, contentsOf(repository.root, carried)]);
}

function contentsOf(root: string, files: readonly string[]): (readonly [path: string, hash: string])[] {
  return files.map((path) => [path, hashOf(readFileSync(join(root, path), 'base64'))]);
}
