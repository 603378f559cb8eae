import { cp, mkdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { RALPH_FOLDER } from '../../../src/platform/ralph-folder.ts';
import type { Usage } from '../../../src/schema/generated.ts';
import { runRalph } from '../child-run.ts';
import { judge } from '../humanevalfix/judge.ts';
import { packageFiles, SOURCE_FILE, writePackage, type Visible } from '../humanevalfix/package-files.ts';
import type { Problem } from '../humanevalfix/problems.ts';
import { linkRequiredPackages } from '../humanevalfix/required-packages.ts';
import { commitAsFirst } from '../plain-repository.ts';
import type { Arm } from './arms.ts';

/** One problem of one arm. */
export interface ArmResult {
  readonly arm: string;
  readonly task_id: string;
  /** Whether the loop verified its result, and whether the judge's tests pass on it. */
  readonly verified: boolean;
  readonly right: boolean;
  /** Best reward after each attempt, 0..1. */
  readonly rewards: readonly number[];
  readonly usage: Usage | null;
  readonly seconds: number;
  /** Why the problem was not solved; '' if it was. */
  readonly note: string;
}

export interface ArmOptions {
  readonly visible: Visible;
  /** Flags of every arm. */
  readonly common: readonly string[];
  readonly budgetMs: number;
  /** Folder (absolute) with the long-term memory of the arm, which its problems share in order. */
  readonly memoryDir: string;
  readonly signal: AbortSignal;
}

/** Runs one arm on one problem, in a repository of its own. Rejects only if the signal is aborted. */
export async function runArm(arm: Arm, problem: Problem, options: ArmOptions): Promise<ArmResult> {
  const scratch = makeTemporaryFolder('bench');
  try {
    return await runIn(scratch, { arm, problem }, options);
  } catch (error) {
    if (options.signal.aborted) throw error;
    const none = { verified: false, right: false, rewards: [], usage: null, seconds: 0 };
    return { arm: arm.name, task_id: problem.taskId, ...none, note: messageOf(error) };
  } finally {
    removeTemporaryFolder(scratch);
  }
}

async function runIn(
  scratch: string,
  { arm, problem }: { readonly arm: Arm; readonly problem: Problem },
  { visible, common, budgetMs, memoryDir, signal }: ArmOptions,
): Promise<ArmResult> {
  const [root, temporaryDir] = [join(scratch, 'repository'), join(scratch, 'temporary')];
  await mkdir(root);
  await mkdir(temporaryDir);
  const files = packageFiles(problem, visible);
  await writePackage(root, files);
  await linkRequiredPackages(root, files[SOURCE_FILE]!);
  await commitAsFirst(root, 'start');
  const memory = join(root, RALPH_FOLDER, 'memory');
  if (existsSync(memoryDir)) await cp(memoryDir, memory, { recursive: true });
  const started = performance.now();
  const run = await runRalph(root, { budgetMs, signal, temporaryDir }, [...common, ...arm.flags]);
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - started) / 10) / 100;
  if (existsSync(memory)) await cp(memory, memoryDir, { recursive: true });
  const judged = run.verified
    ? await judge(problem, await readFile(join(root, SOURCE_FILE), 'utf8'), signal)
    : undefined;
  return {
    arm: arm.name,
    task_id: problem.taskId,
    verified: run.verified,
    right: judged?.passed === true,
    rewards: bestSoFar(run.verdict.attempts.flatMap(({ reward }) => reward ?? [])),
    usage: run.verdict.usage,
    seconds,
    note: judged === undefined ? run.reason : judged.passed ? '' : judged.why,
  };
}

function bestSoFar(rewards: readonly number[]): number[] {
  return rewards.map((_, index) => Math.max(...rewards.slice(0, index + 1)));
}
