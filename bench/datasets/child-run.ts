import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphFolder } from '../../src/platform/ralph-folder.ts';
import type { Trajectory, Verdict } from '../../src/schema/generated.ts';
import { agentEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';
import { MAX_ITERATIONS, type RepairBounds, type RepairRun } from './repair-run.ts';
import { packageFile } from '../../src/platform/package-files.ts';

const PROGRAM = packageFile('bin', 'ralph.js');
/** Time beyond the budget for the checks before the run and the confirmation after it. */
const GRACE_MS = 120_000;

/** Limits of a run in a process of its own. */
export interface ChildBounds extends RepairBounds {
  /** Absolute path of the run's temporary folder, which also holds its workspaces. */
  readonly temporaryDir: string;
}

/** A run in a process of its own, with the verdict that it printed. */
export interface ChildRun extends RepairRun {
  readonly verdict: Verdict;
}

/** Flags of `ralph run` for the offline actor. */
export const SEARCH_FLAGS = ['--actor', 'search', '--max-iterations', String(MAX_ITERATIONS)];

/**
 * Runs `ralph run` as a user would, in a process of its own. The result is left uncommitted in the repository (`root`,
 * absolute). Throws an Error with the program's last output if it printed no verdict.
 */
export async function runRalph(
  root: string,
  { budgetMs, signal, temporaryDir }: ChildBounds,
  flags: readonly string[] = SEARCH_FLAGS,
): Promise<ChildRun> {
  const outcome = await runProcess({
    file: process.execPath,
    args: [
      PROGRAM,
      'run',
      '--format',
      'json',
      '--quiet',
      '--max-time',
      `${Math.round(budgetMs)}ms`,
      ...flags,
    ],
    cwd: root,
    env: agentEnvironment({ TMPDIR: temporaryDir }),
    timeoutMs: budgetMs + GRACE_MS,
    signal,
    keepBytes: 2 ** 24,
  });
  const verdict = parseVerdict(outcome.stdout);
  if (typeof verdict?.loop_id !== 'string') throw new Error(verdict?.reason ?? lastOutput(outcome));
  const { status, verified, reason } = verdict;
  return { status, verified, reason, verdict, trajectories: await readTrajectories(root, verdict.loop_id) };
}

function parseVerdict(text: string): Verdict | undefined {
  try {
    return JSON.parse(text) as Verdict;
  } catch {
    return undefined;
  }
}

function lastOutput(outcome: { stderr: string; timedOut: boolean; failure?: string }): string {
  if (outcome.timedOut) return 'ralph did not end in time.';
  return outcome.failure ?? (outcome.stderr.trim().slice(-500) || 'ralph gave no verdict.');
}

/** Reads the attempts of a loop. `trajectory.jsonl` has the head on the first line and one action on each other line. */
async function readTrajectories(root: string, loopId: string): Promise<Trajectory[]> {
  const folder = ralphFolder(root).attempts(loopId);
  const attempts = await readdir(folder).catch(() => []);
  return Promise.all(
    attempts.sort().map(async (attempt) => {
      const text = await readFile(join(folder, attempt, 'trajectory.jsonl'), 'utf8');
      const [head, ...actions] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      return { ...(head as object), actions } as Trajectory;
    }),
  );
}
