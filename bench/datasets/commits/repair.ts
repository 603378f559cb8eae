import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { runRalph, type ChildRun } from '../child-run.ts';
import { acceptedEdits, triedEdits } from '../repair-run.ts';
import { developerPatch, readFixCommit, sourcesAt, type FixCommit } from './history.ts';
import { rebuildBug, type RebuiltBug } from './rebuild.ts';
import { compareSources, type FileText, type Sameness } from './sameness.ts';
import { checkValidity, judgeResult } from './validity.ts';

/** A commit to be repaired again. */
export interface CommitTask {
  /** As the results name it. */
  readonly repository: string;
  /** Absolute path of the local clone, its dependencies installed. */
  readonly clone: string;
  readonly commit: string;
}

/** `repaired`: ralph's result is verified. `not reproducible`: the tests do not tell the bug from its fix. */
export type CommitOutcome = 'repaired' | 'not repaired' | 'not reproducible' | 'error';

/** One commit's line in the results. */
export interface CommitResult {
  readonly repository: string;
  /** Full id where it is known. */
  readonly commit: string;
  readonly subject: string;
  readonly outcome: CommitOutcome;
  /** Why it ended so, one sentence. */
  readonly reason: string;
  /** Tests that fail with the bug and pass with the developer's fix. */
  readonly failing_tests: number;
  /** Tests that fail with the developer's fix as well; they are not asked for. */
  readonly drifted_tests: number;
  /** `npm test` fails with the developer's fix as well; the tests alone stood in for it. */
  readonly tests_only: boolean;
  /** Checks that the developer's fix does not satisfy either; left out. */
  readonly skipped_checks: readonly string[];
  /** Wall time of ralph's run. */
  readonly seconds: number;
  /** Edits tried. */
  readonly tried: number;
  /** Signatures of the accepted edits. */
  readonly edits: readonly string[];
  /** Ralph's unified diff; empty without a verified result. */
  readonly patch: string;
  /** The developer's unified diff of the source files. */
  readonly developer_patch: string;
  /** Of the two results; null without a verified one. */
  readonly same: Sameness | null;
}

export interface CommitOptions {
  /** Wall time of ralph's run on one commit. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** Rebuilds the bug of a commit and lets `ralph run` repair it. Rejects only where the signal is aborted. */
export async function repairCommit(task: CommitTask, options: CommitOptions): Promise<CommitResult> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'ralph-bench-')));
  try {
    const commit = await readFixCommit(task.clone, task.commit);
    if (typeof commit === 'string') return resultOf(task, { outcome: 'not reproducible', reason: commit });
    const known = {
      ...{ commit: commit.id, subject: commit.subject },
      developer_patch: await developerPatch(commit),
    };
    const rest = await repairBug(commit, scratch, options).catch((error: unknown) => {
      if (options.signal.aborted) throw error;
      return { outcome: 'error', reason: messageOf(error) } as const;
    });
    return resultOf(task, { ...known, ...rest });
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Findings = Partial<CommitResult> & Pick<CommitResult, 'outcome' | 'reason'>;

function resultOf(task: CommitTask, findings: Findings): CommitResult {
  return {
    ...{
      repository: task.repository,
      commit: task.commit,
      subject: '',
      failing_tests: 0,
      drifted_tests: 0,
      tests_only: false,
      skipped_checks: [],
    },
    ...{ seconds: 0, tried: 0, edits: [], patch: '', developer_patch: '', same: null },
    ...findings,
  };
}

async function repairBug(commit: FixCommit, scratch: string, options: CommitOptions): Promise<Findings> {
  const { budgetMs, signal } = options;
  const root = join(scratch, 'repository');
  const temporary = join(scratch, 'temporary');
  for (const folder of [root, temporary]) await mkdir(folder);
  const bug = await rebuildBug(commit, root);
  const validity = await checkValidity(bug, { workspaceDir: temporary, signal });
  if (!validity.valid) return { outcome: 'not reproducible', reason: validity.reason };
  const started = performance.now();
  const skip = validity.skipped.flatMap((name) => ['--skip', name]);
  const goal = validity.drifted > 0 ? ['--no-regressions'] : [];
  const run = await runRalph(root, { budgetMs, signal, temporaryDir: temporary }, [...skip, ...goal]);
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - started) / 10) / 100;
  const known = {
    ...{ failing_tests: validity.failing.length, skipped_checks: validity.skipped, seconds },
    ...{ drifted_tests: validity.drifted, tests_only: validity.testsOnly },
  };
  const findings = { ...known, ...(await findingsOf(commit, bug, run)) };
  if (validity.drifted === 0 || findings.outcome !== 'repaired') return findings;
  const { left, broken } = await judgeResult(bug, validity, { workspaceDir: temporary, signal });
  if (left.length === 0 && broken.length === 0) return findings;
  const reason = `It leaves ${left.length} of ${known.failing_tests} failing tests and breaks ${broken.length}.`;
  return { ...findings, outcome: 'not repaired', reason, same: null };
}

async function findingsOf(commit: FixCommit, bug: RebuiltBug, run: ChildRun): Promise<Findings> {
  const told = { reason: run.reason, tried: triedEdits(run) };
  if (!run.verified) return { ...told, outcome: 'not repaired' };
  const { files, patch } = await bug.changes();
  return {
    ...told,
    ...{ outcome: 'repaired', edits: acceptedEdits(run), patch },
    same: await compareWithFix(commit, bug.root, files),
  };
}

/** Files that only ralph changed make another repair of it. */
async function compareWithFix(
  commit: FixCommit,
  root: string,
  changed: readonly string[],
): Promise<Sameness> {
  if (changed.some((path) => !commit.sources.includes(path))) return 'no';
  const theirs = await sourcesAt(commit, commit.id);
  const ours = commit.sources.map(async (path): Promise<[string, FileText]> => [
    path,
    await readFile(join(root, path), 'utf8').catch(() => undefined),
  ]);
  return compareSources(
    new Map(await Promise.all(ours)),
    new Map([...theirs].map(([path, content]) => [path, content?.toString('utf8')])),
  );
}
