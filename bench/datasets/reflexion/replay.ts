import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectProject } from '../../../src/checks/detect/index.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { shellWord } from '../../../src/platform/processes/shell-words.ts';
import { runLoopInFolder, type FolderRun } from '../loop-in-folder.ts';
import { createLogActor, createLogReflector } from './adapters.ts';
import type { LoggedProblem } from './log.ts';
import type { Python } from './python.ts';
import { CHECK_FILE, CHECK_PROGRAM, SOLUTION_FILE, startProgram, TEST_FILE } from './program.ts';

/** Limit of the authors' evaluator. */
export const TEST_TIMEOUT_MS = 10_000;

export interface ReplayOptions {
  readonly python: Python;
  readonly signal: AbortSignal;
}

/** One problem as the loop replayed it. */
export interface Replay {
  readonly id: string;
  /** Whether the log counts it as solved. */
  readonly log_solved: boolean;
  /** Whether the loop verified an answer. */
  readonly verified: boolean;
  /** Attempts in the log, and how many of their answers it has. */
  readonly attempts: number;
  readonly stored_answers: number;
  /** Attempts that the loop made: it ends with the first answer that passes the hidden tests. */
  readonly replayed: number;
  /** Reflections of the log that the loop stored. */
  readonly reflections: number;
  /** The failure of the loop's last attempt; '' if it passed. */
  readonly error: string;
  readonly timed_out: boolean;
  readonly seconds: number;
}

/** Replays one problem in a folder of its own. Rejects if the signal is aborted, or Python cannot run the check. */
export async function replayProblem(problem: LoggedProblem, options: ReplayOptions): Promise<Replay> {
  const root = makeTemporaryFolder('reflexion');
  const started = performance.now();
  try {
    await writeFile(join(root, SOLUTION_FILE), startProgram(problem));
    await writeFile(join(root, TEST_FILE), problem.test);
    await writeFile(join(root, CHECK_FILE), CHECK_PROGRAM);
    const run = await runLog(root, problem, options);
    options.signal.throwIfAborted();
    return replayOf(problem, run, (performance.now() - started) / 1000);
  } finally {
    removeTemporaryFolder(root);
  }
}

/** As `ralph run --check tests="…" --retry-from last --omega 1`, with the log as the actor and the reflector. */
async function runLog(
  root: string,
  problem: LoggedProblem,
  { python, signal }: ReplayOptions,
): Promise<FolderRun> {
  const command = `${shellWord(python.executable)} -B ${CHECK_FILE} ${problem.entryPoint} {report}`;
  return runLoopInFolder(root, {
    plan: await detectProject({ root, packageDir: '.', config: { checks: { tests: command } } }),
    actor: createLogActor(problem),
    reflector: createLogReflector(problem),
    checkTimeoutMs: TEST_TIMEOUT_MS,
    options: {
      maxIterations: problem.attempts.length,
      // The authors' actor saw its last answer and the last reflection.
      omega: 1,
      retryFrom: 'last',
      // The log goes on where its answers repeat each other.
      stopOnStall: false,
      signal,
    },
  });
}

function replayOf(problem: LoggedProblem, run: FolderRun, seconds: number): Replay {
  const last = run.evaluations.at(-1);
  return {
    id: problem.id,
    log_solved: problem.isSolved,
    verified: run.verified,
    attempts: problem.attempts.length,
    stored_answers: problem.attempts.filter((answer) => answer !== undefined).length,
    replayed: run.trajectories.length,
    reflections: run.reflections.filter(({ reflector }) => reflector.name === 'log').length,
    error: run.verified ? '' : (last?.diagnostics[0]?.message ?? run.reason),
    timed_out: last?.diagnostics.some(({ type }) => type === 'timeout') === true,
    seconds: Math.round(seconds * 100) / 100,
  };
}
