import type { LoggedProblem } from './log.ts';
import type { Replay, ReplayOptions } from './replay.ts';
import { runInOneProcess, type SharedResult } from './shared-process.ts';

/** Why the log and the loop disagree on a problem. */
export interface Difference {
  readonly id: string;
  readonly log_solved: boolean;
  readonly verified: boolean;
  /**
   * `shared process`: after the earlier problems of the log, in one process, the answer gives the log's result. `earlier
   * answer`: an answer before the last one passes the hidden tests. `time limit`: the last answer did not end in time.
   * `not explained`: none of these. `not examined`: the run was stopped before.
   */
  readonly kind: 'shared process' | 'earlier answer' | 'time limit' | 'not explained' | 'not examined';
  /** One sentence, or two. */
  readonly reason: string;
}

/** Finds the reason of each difference between log and loop; the evaluator's reasons are tried, not guessed. */
export async function explainDifferences(
  replays: readonly Replay[],
  problems: readonly LoggedProblem[],
  options: ReplayOptions,
): Promise<Difference[]> {
  const different = replays.filter(({ log_solved, verified }) => log_solved !== verified);
  if (different.length === 0) return [];
  const shared = await runInOneProcess(problems, new Set(different.map(({ id }) => id)), options);
  return different.map((replay) => ({
    id: replay.id,
    log_solved: replay.log_solved,
    verified: replay.verified,
    ...(options.signal.aborted ? NOT_EXAMINED : explain(replay, shared.get(replay.id))),
  }));
}

const NOT_EXAMINED = { kind: 'not examined', reason: 'The run was stopped.' } as const;

/** The reason of one difference. `shared`: the result of the same answer in one process with the log's earlier problems. */
function explain(replay: Replay, shared: SharedResult | undefined): Pick<Difference, 'kind' | 'reason'> {
  const { verified, attempts, replayed, log_solved, timed_out } = replay;
  const alone = verified ? 'it passes' : `it fails (${firstLine(replay.error)})`;
  if (verified && replayed < attempts)
    return {
      kind: 'earlier answer',
      reason: `Answer ${replayed} of ${attempts} passes the hidden tests; the log goes on to others after it.`,
    };
  if (shared?.passed === log_solved) {
    const together = shared.passed ? 'it passes' : `it fails (${firstLine(shared.error)})`;
    return {
      kind: 'shared process',
      reason: `Alone ${alone}; in one process after the log's earlier problems, as in the authors' evaluator, ${together}.${renderBorrowed(shared)}`,
    };
  }
  if (timed_out)
    return { kind: 'time limit', reason: 'The answer does not end within the time limit on this machine.' };
  return {
    kind: 'not explained',
    reason: `Alone ${alone}, and in one process with the log's earlier problems as well.`,
  };
}

function renderBorrowed({ borrowed }: SharedResult): string {
  const names = Object.entries(borrowed).map(([name, id]) => `\`${name}\` is from ${id}`);
  return names.length === 0 ? '' : ` There ${names.join(', ')}.`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 160);
}
