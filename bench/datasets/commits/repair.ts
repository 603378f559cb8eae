import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { plural } from '../../../src/platform/text/plural.ts';
import { runRalph, SEARCH_FLAGS, type ChildRun } from '../child-run.ts';
import { acceptedEdits, lastAlternatives, lastConfidence, triedEdits } from '../repair-run.ts';
import { developerPatch, readFixCommit, sourcesAt, type FixCommit } from './history.ts';
import { rebuildBug, type RebuiltBug } from './rebuild.ts';
import { compareSources, type FileText, type Sameness } from './sameness.ts';
import { checkValidity, judgeResult } from './validity.ts';

/** A commit whose bug is to be repaired. */
export interface CommitTask {
  /** The repository's name in the results. */
  readonly repository: string;
  /** Absolute path of the local clone; its dependencies are installed. */
  readonly clone: string;
  readonly commit: string;
}

/** `repaired`: ralph's result is verified. `not reproducible`: no test fails with the bug and passes with the fix. */
export type CommitOutcome = 'repaired' | 'not repaired' | 'not reproducible' | 'error';

/** One commit's line in the results. */
export interface CommitResult {
  readonly repository: string;
  /** Full id if known. */
  readonly commit: string;
  readonly subject: string;
  readonly outcome: CommitOutcome;
  /** Reason of the outcome; one sentence. */
  readonly reason: string;
  /** Number of tests that fail with the bug and pass with the developer's fix. */
  readonly failing_tests: number;
  /** Number of tests that fail with the developer's fix as well; they need not pass. */
  readonly drifted_tests: number;
  /** True if `npm test` fails with the developer's fix as well and was replaced by the test runner alone. */
  readonly tests_only: boolean;
  /** Checks that fail with the developer's fix as well and were skipped. */
  readonly skipped_checks: readonly string[];
  /** Wall time of ralph's run. */
  readonly seconds: number;
  /** Number of edits tried. */
  readonly tried: number;
  /** Signatures of the accepted edits. */
  readonly edits: readonly string[];
  /** How sure the search was of its last choice, 0..1; null if it found no plausible edit. */
  readonly confidence: number | null;
  /** The plausible edits that were not applied in the last attempt that had some, best first. */
  readonly alternatives: readonly string[];
  /** What each attempt wrote of its search. */
  readonly rationale: readonly string[];
  /** Ralph's unified diff; '' without a verified result. */
  readonly patch: string;
  /** The developer's unified diff of the source files. */
  readonly developer_patch: string;
  /** Sameness of ralph's and the developer's result; null without a verified result. */
  readonly same: Sameness | null;
}

export interface CommitOptions {
  /** Time limit of ralph's run on one commit, in wall time. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** Rebuilds the bug of a commit and runs `ralph run` on it. Rejects only if the signal is aborted. */
export async function repairCommit(task: CommitTask, options: CommitOptions): Promise<CommitResult> {
  const scratch = makeTemporaryFolder('bench');
  try {
    const commit = await readFixCommit(task.clone, task.commit);
    if (typeof commit === 'string') return resultOf(task, { outcome: 'not reproducible', reason: commit });
    const known = {
      commit: commit.id,
      subject: commit.subject,
      developer_patch: await developerPatch(commit),
    };
    const rest = await repairBug(commit, scratch, options).catch((error: unknown) => {
      if (options.signal.aborted) throw error;
      return { outcome: 'error', reason: messageOf(error) } as const;
    });
    return resultOf(task, { ...known, ...rest });
  } finally {
    removeTemporaryFolder(scratch);
  }
}

type Findings = Partial<CommitResult> & Pick<CommitResult, 'outcome' | 'reason'>;

function resultOf(task: CommitTask, findings: Findings): CommitResult {
  return {
    repository: task.repository,
    commit: task.commit,
    subject: '',
    failing_tests: 0,
    drifted_tests: 0,
    tests_only: false,
    skipped_checks: [],
    seconds: 0,
    tried: 0,
    edits: [],
    confidence: null,
    alternatives: [],
    rationale: [],
    patch: '',
    developer_patch: '',
    same: null,
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
  const flags = [...SEARCH_FLAGS, ...skip, ...goal];
  const run = await runRalph(root, { budgetMs, signal, temporaryDir: temporary }, flags);
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - started) / 10) / 100;
  const known = {
    failing_tests: validity.failing.length,
    drifted_tests: validity.drifted,
    tests_only: validity.testsOnly,
    skipped_checks: validity.skipped,
    seconds,
  };
  const findings = { ...known, ...(await findingsOf(commit, bug, run)) };
  if (validity.drifted === 0 || findings.outcome !== 'repaired') return findings;
  const { left, broken } = await judgeResult(bug, validity, { workspaceDir: temporary, signal });
  if (left.length === 0 && broken.length === 0) return findings;
  const reason = `It leaves ${left.length} of ${plural(known.failing_tests, 'failing test')} and breaks ${broken.length}.`;
  return { ...findings, outcome: 'not repaired', reason, same: null };
}

async function findingsOf(commit: FixCommit, bug: RebuiltBug, run: ChildRun): Promise<Findings> {
  const { reason } = run;
  const search = {
    reason,
    tried: triedEdits(run),
    confidence: lastConfidence(run),
    alternatives: lastAlternatives(run),
    rationale: run.trajectories.map(({ rationale }) => rationale),
  };
  if (!run.verified) return { ...search, outcome: 'not repaired' };
  const { files, patch } = await bug.changes();
  return {
    ...search,
    outcome: 'repaired',
    edits: acceptedEdits(run),
    patch,
    same: await compareWithFix(commit, bug.root, files),
  };
}

/** A result that changes other files than the fix does is another repair. */
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
