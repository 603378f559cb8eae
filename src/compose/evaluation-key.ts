import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { scriptNode } from '../platform/processes/script-node.ts';
import { version } from '../platform/version.ts';
import { findCarried } from '../workspace/carry.ts';
import type { ProjectPlan } from '../ports.ts';
import type { Repository } from '../workspace/repository.ts';
import type { Project } from './project.ts';

/** Everything but the tree that the result of the checks depends on. */
export interface EvaluationKey {
  /** Changes with the checks, their settings, Node, ralph and the installed packages: what the caches are valid for. */
  readonly setup: string;
  /** Changes also with the ignored files that are copied into the workspace. */
  readonly surroundings: string;
}

/** Files that a package manager writes anew whenever it installs something. */
const INSTALLED = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-integrity',
  'node_modules/.yarn-state.yml',
  'node_modules',
  '.pnp.cjs',
];

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
    [version(), process.version, scriptNode().version, process.arch],
    installed,
  ]);
  return { setup, surroundings: hashOf([setup, await carriedContents(repository, carry)]) };
}

/** Folders of a plan in which packages may be installed, relative to the root. */
export function foldersOf({ packageDir, checks }: ProjectPlan): string[] {
  return [...new Set(['.', packageDir, ...checks.map(({ cwd }) => cwd)])];
}

/** Changes when a package manager runs in one of the folders, which are relative to the root. */
export function installedStamp(root: string, folders: readonly string[]): string {
  return hashOf(installedStamps(root, folders));
}

/** Changes with what a plan reads beside the tree: installed packages, and the ignored files that are copied. */
export async function surroundingsStamp(
  repository: Repository,
  { folders, carry }: { readonly folders: readonly string[]; readonly carry: readonly string[] },
): Promise<string> {
  const own = [version(), process.version, scriptNode().version, process.arch];
  return hashOf([own, installedStamps(repository.root, folders), await carriedContents(repository, carry)]);
}

function installedStamps(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => INSTALLED.map((it) => stampOf(join(root, folder, it))));
}

async function carriedContents(
  repository: Repository,
  carry: readonly string[],
): Promise<(readonly [path: string, hash: string])[]> {
  const carried = await findCarried(repository, carry);
  return carried.map((path) => [path, hashOf(readFileSync(join(repository.root, path), 'base64'))]);
}

/** Time of the last change and size; empty if there is no such file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
