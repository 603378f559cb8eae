import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCarried } from '../workspace/carry.ts';
import type { ProjectPlan } from '../ports.ts';
import type { Repository } from '../workspace/repository.ts';
import { hashOf, installedStamps, programVersions } from './installed-stamp.ts';
import type { Project } from './project.ts';

/** Everything but the tree that the result of the checks depends on. */
export interface EvaluationKey {
  /** Changes with the checks, their settings, Node, ralph and the installed packages: what the caches are valid for. */
  readonly setup: string;
  /** Changes also with the ignored files that are copied into the workspace. */
  readonly surroundings: string;
}

/** The key of an evaluation of the user's tree. Rejects if git fails. */
export async function evaluationKey(
  { repository, plan, settings }: Project,
  carry: readonly string[],
): Promise<EvaluationKey> {
  const installed = installedStamps(repository.root, foldersOf(plan));
  const { checks, testCommand } = plan;
  const { noRegressions, holdout, sandbox, isolation, checkTimeoutMs } = settings;
  const setup = hashOf([
    { checks, testCommand },
    { noRegressions, holdout, sandbox, isolation, checkTimeoutMs },
    programVersions(),
    installed,
  ]);
  return { setup, surroundings: hashOf([setup, await carriedContents(repository, carry)]) };
}

/** Folders of a plan in which packages may be installed, relative to the root. */
export function foldersOf({ packageDir, checks }: ProjectPlan): string[] {
  return [...new Set(['.', packageDir, ...checks.map(({ cwd }) => cwd)])];
}

/** Changes with what a plan reads beside the tree: installed packages, and the ignored files that are copied. */
export async function surroundingsStamp(
  repository: Repository,
  { folders, carry }: { readonly folders: readonly string[]; readonly carry: readonly string[] },
): Promise<string> {
  const installed = installedStamps(repository.root, folders);
  return hashOf([programVersions(), installed, await carriedContents(repository, carry)]);
}

async function carriedContents(
  repository: Repository,
  carry: readonly string[],
): Promise<(readonly [path: string, hash: string])[]> {
  const carried = await findCarried(repository, carry);
  return carried.map((path) => [path, hashOf(readFileSync(join(repository.root, path), 'base64'))]);
}
