import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { packageFile } from '../../../src/platform/package-files.ts';
import { shellCommand } from '../../../src/platform/processes/shell-words.ts';
import type { Usage } from '../../../src/schema/generated.ts';
import { runRalph, type ChildRun } from '../child-run.ts';
import { prepareGround, type Ground, type Installation } from '../ground.ts';
import { workTreePatch } from '../patches.ts';
import type { SizeClass } from '../size-class.ts';
import { cloneOf } from './clones.ts';
import { renderInstance, type SweInstance } from './instance.ts';
import { applyTests, judgePatch, type Judgement } from './judge.ts';

/**
 * What the actor gets of an instance's tests. `hidden`: nothing; they judge the patch afterwards. `holdout`: a result is also
 * accepted only if they pass, without their content. `visible`: they are in the tree, and making them pass is the task.
 */
export type TestsShown = 'hidden' | 'holdout' | 'visible';

export interface SolveOptions extends Installation {
  /** Folder with the clones. */
  readonly clones: string;
  readonly tests: TestsShown;
  /** Time limit of one run, in wall time. */
  readonly budgetMs: number;
  /** More flags of `ralph run`, such as the actor. */
  readonly flags: readonly string[];
}

/**
 * `resolved`: the tests that failed pass, and no other fails. `no patch`: the run changed nothing. `error`: the instance
 * could not be tried.
 */
export type SweOutcome = 'resolved' | 'not resolved' | 'not applied' | 'no patch' | 'error';

/** One instance's line in the results. */
export interface SweResult {
  readonly instance_id: string;
  readonly repo: string;
  readonly size: SizeClass | null;
  readonly outcome: SweOutcome;
  /** Why it is not resolved; '' if it is. */
  readonly reason: string;
  /** Status of the loop, and whether it counts its result as verified; null if there was no run. */
  readonly status: string | null;
  readonly verified: boolean;
  readonly applied: boolean;
  /** Tests that failed and pass now, of those that should. */
  readonly fixed: number;
  readonly fail_to_pass: number;
  /** Names of tests that passed and do not any more. */
  readonly regressed: readonly string[];
  readonly attempts: number;
  readonly usage: Usage | null;
  /** Wall time of the run, without installation and judge. */
  readonly seconds: number;
  readonly patch: string;
}

/** Runs `ralph run` on an instance and judges its patch. Rejects only if the signal is aborted. */
export async function solveInstance(instance: SweInstance, options: SolveOptions): Promise<SweResult> {
  const scratch = makeTemporaryFolder('bench');
  try {
    return await solveIn(scratch, instance, options);
  } catch (error) {
    if (options.signal.aborted) throw error;
    return resultOf(instance, { outcome: 'error', reason: messageOf(error) });
  } finally {
    removeTemporaryFolder(scratch);
  }
}

async function solveIn(scratch: string, instance: SweInstance, options: SolveOptions): Promise<SweResult> {
  const workspaceDir = join(scratch, 'temporary');
  await mkdir(workspaceDir);
  const clone = cloneOf(options.clones, instance.repo);
  const ground = await prepareGround({ clone, commit: instance.baseCommit }, scratch, options);
  const started = performance.now();
  const { run, patch } = await runOn(ground, instance, { ...options, scratch, workspaceDir });
  const known = {
    status: run.status,
    verified: run.verified,
    attempts: run.verdict.iterations,
    usage: run.verdict.usage,
    seconds: Math.round((performance.now() - started) / 10) / 100,
    patch,
  };
  if (patch === '') return resultOf(instance, { ...known, outcome: 'no patch', reason: run.reason });
  const { signal } = options;
  const { resolved, ...judgement } = await judgePatch(instance, patch, { ground, workspaceDir, signal });
  return resultOf(instance, { ...known, ...judgement, outcome: outcomeOf({ resolved, ...judgement }) });
}

function outcomeOf({ applied, resolved }: Judgement): SweOutcome {
  if (resolved) return 'resolved';
  return applied ? 'not resolved' : 'not applied';
}

async function runOn(
  ground: Ground,
  instance: SweInstance,
  options: SolveOptions & { readonly scratch: string; readonly workspaceDir: string },
): Promise<{ readonly run: ChildRun; readonly patch: string }> {
  const { tests, budgetMs, signal, scratch, workspaceDir, flags } = options;
  const root = await ground.checkout('repository', async (folder) => {
    if (tests === 'visible') await applyTests(folder, instance);
  });
  const task = tests === 'visible' ? visibleTask(instance) : await statedTask(instance, scratch);
  const holdout = tests === 'holdout' ? await holdoutFlags(instance, scratch) : [];
  const run = await runRalph(root, { budgetMs, signal, temporaryDir: workspaceDir }, [
    ...task,
    ...holdout,
    ...flags,
  ]);
  signal.throwIfAborted();
  return { run, patch: await workTreePatch(root) };
}

/** Tests that fail with the developers' fix as well need not pass. */
function visibleTask({ drifted }: SweInstance): string[] {
  return drifted > 0 ? ['--no-regressions'] : [];
}

/** An unproven result is judged like any other: hidden tests are what proves it. */
async function statedTask({ statement }: SweInstance, scratch: string): Promise<string[]> {
  const file = join(scratch, 'statement.md');
  await writeFile(file, statement);
  return ['--prompt-file', file, '--apply-unproven'];
}

/** A held-out check that applies the tests to the result, runs the repository's tests and takes the tests back. */
async function holdoutFlags(instance: SweInstance, scratch: string): Promise<string[]> {
  const file = join(scratch, 'instance.jsonl');
  await writeFile(file, `${renderInstance(instance)}\n`);
  const words = [process.execPath, packageFile('bin', 'ralph.js'), 'bench', 'swe-judge', file];
  return ['--holdout', shellCommand(words)];
}

function resultOf(
  instance: SweInstance,
  findings: Partial<SweResult> & Pick<SweResult, 'outcome' | 'reason'>,
): SweResult {
  return {
    instance_id: instance.id,
    repo: instance.repo,
    size: instance.size,
    status: null,
    verified: false,
    applied: false,
    fixed: 0,
    fail_to_pass: instance.failToPass.length,
    regressed: [],
    attempts: 0,
    usage: null,
    seconds: 0,
    patch: '',
    ...findings,
  };
}
