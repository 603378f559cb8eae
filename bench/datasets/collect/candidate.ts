import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { git, splitNul } from '../../../src/platform/git/git.ts';
import { isTestFile } from '../../../src/repair/syntax/source-files.ts';
import type { FixCommit } from '../../fix-commits/fix-commits-in.ts';
import { prepareGround, type Ground, type Installation } from '../ground.ts';
import { applyDiff, commitPatch } from '../patches.ts';
import { sizeClassOf } from '../size-class.ts';
import type { SweInstance } from '../swe/instance.ts';
import { runTests, type TestResults } from '../test-results.ts';

/** A repository to collect from. */
export interface CollectSource {
  /** Absolute path of the clone. */
  readonly clone: string;
  /** `owner/name`. */
  readonly repo: string;
}

/** An instance and what is known about its commit. */
export interface Collected {
  readonly instance: SweInstance;
  /** Full id of the fix. */
  readonly fix: string;
  /** When it was committed, ISO 8601. */
  readonly createdAt: string;
  readonly changedLines: number;
}

/** Errors of a test that uses a name which the fix added. */
const MISSING_NAME =
  /is not a function|does not provide an export|Cannot find (module|package)|is not a constructor|Failed to (load|resolve)/;

/**
 * Makes an instance of a fix commit. Returns the reason, one sentence, if no test fails without the fix and passes with
 * it, or if these tests fail only because a name does not exist. Rejects only if the signal is aborted.
 */
export async function collectCommit(
  source: CollectSource,
  commit: FixCommit,
  installation: Installation,
): Promise<Collected | string> {
  const scratch = makeTemporaryFolder('bench');
  try {
    return await collectIn(scratch, source, { commit, installation });
  } catch (error) {
    if (installation.signal.aborted) throw error;
    return `it cannot be tried: ${(error as Error).message}`;
  } finally {
    removeTemporaryFolder(scratch);
  }
}

async function collectIn(
  scratch: string,
  { clone, repo }: CollectSource,
  { commit, installation }: { readonly commit: FixCommit; readonly installation: Installation },
): Promise<Collected | string> {
  const workspaceDir = join(scratch, 'temporary');
  await mkdir(workspaceDir);
  const patches = await patchesOf(clone, commit);
  const ground = await prepareGround({ clone, commit: `${commit.sha}^` }, scratch, installation);
  const run = { workspaceDir, signal: installation.signal };
  const fixed = await runTests(await treeWith(ground, 'fixed', [patches.test, patches.fix]), run);
  if (fixed.passed.size === 0) return `no test passes with the fix: ${whyNoTest(fixed)}`;
  const broken = await runTests(await treeWith(ground, 'broken', [patches.test]), run);
  const failToPass = [...fixed.passed].filter((id) => !broken.passed.has(id));
  if (failToPass.length === 0) return 'no test fails without the fix and passes with it';
  if (failOnlyByName(failToPass, broken)) return 'its tests fail because a name does not exist';
  const head = await headOf(clone, commit.sha);
  return {
    fix: commit.sha,
    createdAt: head.createdAt,
    changedLines: commit.lines,
    instance: {
      form: 'swe-bench',
      id: `${repo.replace('/', '__')}-${commit.sha.slice(0, 10)}`,
      repo,
      number: null,
      baseCommit: head.parent,
      statement: head.message,
      fixPatch: patches.fix,
      testPatch: patches.test,
      failToPass,
      passToPass: [...fixed.passed].filter((id) => broken.passed.has(id)),
      size: sizeClassOf(commit.lines),
      drifted: fixed.failed.size,
    },
  };
}

async function treeWith(ground: Ground, name: string, patches: readonly string[]): Promise<string> {
  return ground.checkout(name, async (root) => {
    for (const patch of patches) {
      const problem = await applyDiff(root, patch);
      if (problem !== undefined) throw new Error(problem);
    }
  });
}

/** The change of the tests and that of everything else. */
async function patchesOf(
  clone: string,
  { sha }: FixCommit,
): Promise<{ readonly fix: string; readonly test: string }> {
  const names = splitNul(
    await git(['diff-tree', '-r', '--no-renames', '--name-only', '-z', `${sha}^`, sha], { cwd: clone }),
  );
  const paths = names.map((name) => name.toString('utf8'));
  const commits = [`${sha}^`, sha] as const;
  const fix = await commitPatch(
    clone,
    commits,
    paths.filter((path) => !isTestFile(path)),
  );
  return { fix, test: await commitPatch(clone, commits, paths.filter(isTestFile)) };
}

async function headOf(
  clone: string,
  sha: string,
): Promise<{ readonly parent: string; readonly createdAt: string; readonly message: string }> {
  const text = (await git(['log', '-1', '--format=%P%n%cI%n%B', sha], { cwd: clone })).toString('utf8');
  const [parents = '', createdAt = '', ...message] = text.split('\n');
  return { parent: parents.split(' ')[0]!, createdAt, message: message.join('\n').trim() };
}

function whyNoTest({ evaluation }: TestResults): string {
  const red = evaluation.checks.find(({ status }) => status === 'error' || status === 'fail');
  const text = (red?.output.trim() ?? '') || (red?.detail ?? '') || 'none ran';
  return text.split('\n').slice(-1)[0]!.slice(0, 200);
}

function failOnlyByName(failing: readonly string[], { evaluation, failed }: TestResults): boolean {
  const ids = new Set(failing.filter((id) => failed.has(id)));
  const messages = evaluation.diagnostics.filter(
    ({ test_id, severity }) =>
      severity === 'error' && (test_id === undefined ? ids.size === 0 : ids.has(test_id)),
  );
  return messages.length > 0 && messages.every(({ message }) => MISSING_NAME.test(message));
}
