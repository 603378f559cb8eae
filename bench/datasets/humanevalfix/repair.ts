import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { unifiedDiff } from '../../../src/platform/text/line-diff.ts';
import { alternativesOf, bestOfCandidates } from '../alternatives.ts';
import { runRalph, SEARCH_FLAGS } from '../child-run.ts';
import { CHECK_TIMEOUT_MS, repairInProcess } from '../in-process.ts';
import { commitAsFirst } from '../plain-repository.ts';
import { acceptedEdits, lastConfidence, triedEdits, type RepairRun } from '../repair-run.ts';
import { judge } from './judge.ts';
import { packageFiles, SOURCE_FILE, writePackage, type Visible } from './package-files.ts';
import type { Problem } from './problems.ts';
import { linkRequiredPackages } from './required-packages.ts';

/** How ralph runs on a problem: the loop in this process, or `ralph run` in a repository. */
export type Mode = 'in-process' | 'repository';

export interface RepairOptions {
  readonly visible: Visible;
  readonly mode: Mode;
  /** Time limit of one problem, in wall time. */
  readonly budgetMs: number;
  /** The confidence from which an edit is applied, 0..1; the default if absent. */
  readonly minConfidence?: number;
  /** Absolute path of a folder in which each package is kept as ralph left it. */
  readonly keep?: string;
  readonly signal: AbortSignal;
}

/**
 * `repaired`: the result passes the visible tests and the judge. `overfit`: it fails the judge. `not found`: there is no
 * verified result. `error`: the problem could not be tried.
 */
export type Outcome = 'repaired' | 'overfit' | 'not found' | 'error';

/** One problem's line in the results. */
export interface ProblemResult {
  readonly task_id: string;
  readonly bug_type: string;
  readonly outcome: Outcome;
  /** Wall time of ralph's run, without the judge. */
  readonly seconds: number;
  /** Number of edits tried. */
  readonly tried: number;
  readonly tried_per_second: number;
  /** Signatures of the accepted edits. */
  readonly edits: readonly string[];
  /** Unified diff of the program; '' without a verified result. */
  readonly diff: string;
  /** How sure the search was of its last choice, 0..1; null if it found no plausible edit. */
  readonly confidence: number | null;
  /** Number of other plausible patches. */
  readonly alternatives: number;
  /** Whether the accepted result or one of the alternatives passes the judge. */
  readonly best_of_candidates: boolean;
  /** Why the problem was not repaired; '' otherwise. */
  readonly note: string;
}

/** Writes a problem as a package, runs ralph on it and judges the result. Rejects only if the signal is aborted. */
export async function repairProblem(problem: Problem, options: RepairOptions): Promise<ProblemResult> {
  const { keep, signal } = options;
  const name = problem.taskId.replace(/[^\w-]+/g, '-');
  const root = keep === undefined ? makeTemporaryFolder('bench') : join(keep, name);
  const started = performance.now();
  try {
    if (keep !== undefined) await emptyFolder(root);
    const files = packageFiles(problem, options.visible);
    await writePackage(root, files);
    await linkRequiredPackages(root, files[SOURCE_FILE]!);
    const run = await RUN_BY_MODE[options.mode](root, options);
    const seconds = (performance.now() - started) / 1000;
    return await judged(problem, { run, seconds, root, before: files[SOURCE_FILE]!, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(problem, error, (performance.now() - started) / 1000);
  } finally {
    if (keep === undefined) removeTemporaryFolder(root);
  }
}

const RUN_BY_MODE: Readonly<Record<Mode, (root: string, options: RepairOptions) => Promise<RepairRun>>> = {
  'in-process': repairInProcess,
  repository: repairInRepository,
};

/** Commits the package to a new repository and runs `ralph run` in it. */
async function repairInRepository(
  root: string,
  { budgetMs, minConfidence, signal }: RepairOptions,
): Promise<RepairRun> {
  const config = { search: { maxTime: `${Math.round(budgetMs)}ms`, minConfidence } };
  await writeFile(join(root, 'ralph.config.json'), `${JSON.stringify(config)}\n`);
  await commitAsFirst(root, 'start');
  const temporaryDir = makeTemporaryFolder('bench');
  try {
    const flags = [...SEARCH_FLAGS, '--check-timeout', `${CHECK_TIMEOUT_MS}ms`];
    return await runRalph(root, { budgetMs, signal, temporaryDir }, flags);
  } finally {
    removeTemporaryFolder(temporaryDir);
  }
}

interface Finished {
  readonly run: RepairRun;
  readonly seconds: number;
  readonly root: string;
  readonly before: string;
  readonly signal: AbortSignal;
}

async function judged(
  problem: Problem,
  { run, seconds, root, before, signal }: Finished,
): Promise<ProblemResult> {
  const after = await readFile(join(root, SOURCE_FILE), 'utf8');
  const found = run.verified && after !== before;
  const judgement = found ? await judge(problem, after, signal) : undefined;
  const passes = async (text: string): Promise<boolean> => (await judge(problem, text, signal)).passed;
  const best = await bestOfCandidates(run.trajectories, before, {
    passes: judgement?.passed ?? false,
    judge: passes,
  });
  signal.throwIfAborted();
  const tried = triedEdits(run);
  return {
    ...headOf(problem),
    outcome: judgement === undefined ? 'not found' : judgement.passed ? 'repaired' : 'overfit',
    seconds: round(seconds),
    tried,
    tried_per_second: round(tried / seconds),
    edits: found ? acceptedEdits(run) : [],
    diff: found ? unifiedDiff(SOURCE_FILE, before, after) : '',
    confidence: lastConfidence(run),
    alternatives: run.trajectories.flatMap(alternativesOf).length,
    best_of_candidates: best,
    note: judgement === undefined ? noteOf(run) : judgement.passed ? '' : judgement.why,
  };
}

function noteOf({ status, reason }: RepairRun): string {
  return status === 'nothing_to_do' ? 'The visible tests pass without a repair.' : reason;
}

function failed(problem: Problem, error: unknown, seconds: number): ProblemResult {
  return {
    ...headOf(problem),
    outcome: 'error',
    seconds: round(seconds),
    tried: 0,
    tried_per_second: 0,
    edits: [],
    diff: '',
    confidence: null,
    alternatives: 0,
    best_of_candidates: false,
    note: messageOf(error),
  };
}

function headOf({ taskId, bugType }: Problem): Pick<ProblemResult, 'task_id' | 'bug_type'> {
  return { task_id: taskId, bug_type: bugType };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
