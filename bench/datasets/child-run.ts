import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphFolder } from '../../src/platform/ralph-folder.ts';
import type { Trajectory, Verdict } from '../../src/schema/generated.ts';
import { childEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';
import { MAX_ITERATIONS, type RepairBounds, type RepairRun } from './repair-run.ts';
import { packageFile } from '../../src/platform/package-files.ts';

const PROGRAM = packageFile('bin', 'ralph.js');
/** What a run may take beyond its budget: the checks in front of it and the confirmation behind. */
const GRACE_MS = 120_000;

export interface ChildBounds extends RepairBounds {
  /** Absolute folder for what the run keeps in the system's temporary folder otherwise, workspaces included. */
  readonly temporaryDir: string;
}

export interface ChildRun extends RepairRun {
  readonly verdict: Verdict;
}

/**
 * `ralph run` as a user starts it, in a process of its own. Its result is left uncommitted in the repository
 * (`root`, absolute). Throws an Error with what the program said where it gave no verdict.
 */
export async function runRalph(
  root: string,
  { budgetMs, signal, temporaryDir }: ChildBounds,
  extra: readonly string[] = [],
): Promise<ChildRun> {
  const outcome = await runProcess({
    file: process.execPath,
    args: [
      ...[PROGRAM, 'run', '--format', 'json', '--quiet', '--actor', 'search'],
      ...['--max-iterations', String(MAX_ITERATIONS), '--max-time', `${Math.round(budgetMs)}ms`],
      ...extra,
    ],
    cwd: root,
    env: childEnvironment({ TMPDIR: temporaryDir }),
    timeoutMs: budgetMs + GRACE_MS,
    signal,
    keepBytes: 2 ** 24,
  });
  const verdict = parseVerdict(outcome.stdout);
  if (typeof verdict?.loop_id !== 'string') throw new Error(verdict?.reason ?? lastWords(outcome));
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

function lastWords(outcome: { stderr: string; timedOut: boolean; failure?: string }): string {
  if (outcome.timedOut) return 'ralph did not end in time.';
  return outcome.failure ?? (outcome.stderr.trim().slice(-500) || 'ralph gave no verdict.');
}

/** The attempts of a loop as `trajectory.jsonl` holds them: the head on the first line, then one action a line. */
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
