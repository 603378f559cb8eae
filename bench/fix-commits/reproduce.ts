import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { detectProject } from '../../src/checks/detect/index.ts';
import { createCheck } from '../../src/tools.ts';
import { withoutSetup } from '../../src/checks/run/setup.ts';
import { createBench } from '../../src/checks/bench.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import type { CheckReport } from '../../src/ports/evaluation.ts';
import { type FixCommit, git } from './fix-commits-in.ts';

const TIMEOUT_MS = 120_000;
/** Errors of a test that uses a name which the fix added. */
const MISSING_NAME =
  /is not a function|does not provide an export|Cannot find (module|package)|is not a constructor|Failed to (load|resolve)/;

/** A copy of a clone that shares its objects and its installed dependencies. */
export interface SharedClone {
  /** Absolute path. */
  readonly root: string;
  remove(): void;
}

/** Clones a clone without copying its objects. Throws if git fails. */
export function cloneForReplay(clone: string): SharedClone {
  const root = makeTemporaryFolder('fix-commits');
  git('.', ['clone', '--quiet', '--shared', '--no-checkout', clone, root]);
  return { root, remove: () => removeTemporaryFolder(root) };
}

/**
 * Reason why the tests of a commit, with the installed dependencies, do not fail without the fix and pass with it;
 * undefined if they do.
 */
export async function whyNotReproduced(
  copy: SharedClone,
  clone: string,
  commit: FixCommit,
): Promise<string | undefined> {
  try {
    return await replay(copy.root, clone, commit);
  } catch (error) {
    return `it cannot be checked out: ${(error as Error).message}`;
  }
}

async function replay(
  root: string,
  clone: string,
  { sha, tests, sources }: FixCommit,
): Promise<string | undefined> {
  git(root, ['checkout', '--quiet', '--force', sha]);
  git(root, ['clean', '-fdxq']);
  if (!existsSync(join(root, 'node_modules')))
    symlinkSync(join(clone, 'node_modules'), join(root, 'node_modules'));
  const fixed = await runTests(root, tests);
  if (typeof fixed === 'string') return fixed;
  git(root, ['checkout', '--quiet', `${sha}^`, '--', ...sources]);
  const broken = await runTests(root, tests);
  if (typeof broken === 'string') return broken;
  return compare(fixed, broken);
}

function compare(fixed: CheckReport, broken: CheckReport): string | undefined {
  const passing = new Set(fixed.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const failing = broken.tests.filter(({ id, status }) => status === 'failed' && passing.has(id));
  if (passing.size === 0) return `no test passes with the fix: ${fixed.detail}`;
  if (failing.length === 0) return 'no test fails without the fix and passes with it';
  const ids = new Set(failing.map(({ id }) => id));
  const messages = broken.diagnostics.filter(({ test_id }) => test_id !== undefined && ids.has(test_id));
  return messages.length > 0 && messages.every(({ message }) => MISSING_NAME.test(message))
    ? 'its tests fail because a name does not exist'
    : undefined;
}

/** Runs some test files with the repository's own test runner; returns the report, or the reason why there is none. */
async function runTests(root: string, files: readonly string[]): Promise<CheckReport | string> {
  try {
    const plan = await detectProject({ root, packageDir: '.', config: { skip: [] } });
    const check = plan.checks.find(({ kind }) => kind === 'tests');
    if (check === undefined) return 'no test runner was found';
    const cacheDir = makeTemporaryFolder('fix-commits-cache');
    const checks = [createCheck(withoutSetup(check))];
    const bench = createBench({
      plan,
      checks,
      cacheDir,
      checkTimeoutMs: TIMEOUT_MS,
      root,
    });
    const report = await bench.run(check.name, { files, signal: AbortSignal.timeout(TIMEOUT_MS) });
    removeTemporaryFolder(cacheDir);
    return report.status === 'error' ? `the tests could not run: ${report.detail}` : report;
  } catch (error) {
    return `the tests could not run: ${(error as Error).message}`;
  }
}
