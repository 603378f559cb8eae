import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../platform/version.ts';
import { findCarried } from '../workspace/carry.ts';
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
  const folders = [...new Set(['.', plan.packageDir, ...plan.checks.map(({ cwd }) => cwd)])];
  const installed = folders.flatMap((folder) =>
    INSTALLED.map((it) => stampOf(join(repository.root, folder, it))),
  );
  const { checks, testCommand } = plan;
  const { noRegressions, holdout, sandbox, isolation, checkTimeoutMs } = settings;
  const setup = hashOf([
    { checks, testCommand },
    { noRegressions, holdout, sandbox, isolation, checkTimeoutMs },
    [version(), process.version, process.arch],
    installed,
  ]);
  const carried = await findCarried(repository, carry);
  const contents = carried.map((path) => [path, hashOf(readFileSync(join(repository.root, path), 'base64'))]);
  return { setup, surroundings: hashOf([setup, contents]) };
}

/** Time of the last change and size; empty if there is no such file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
