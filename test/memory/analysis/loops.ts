import type { AttemptHistory, LoopHistory } from '../../../src/memory/analysis/history.ts';

/** An attempt with a reward, from which nothing was learned. */
export function attempt(
  iteration: number,
  reward: number,
  more: Partial<AttemptHistory> = {},
): AttemptHistory {
  return { iteration, reward, passed: reward === 1, told: [], failures: [], ...more };
}

/** A loop with these rewards, the baseline first, that ended as its last reward says. */
export function loop(rewards: readonly number[], more: Partial<LoopHistory> = {}): LoopHistory {
  const [baseline, ...rest] = rewards;
  return {
    ...{ id: 'ralph-a', task: 'Make the tests pass.', memory: true, failures: [] },
    status: rewards.at(-1) === 1 ? 'passed' : 'exhausted',
    ...{ startedAt: 1000, endedAt: 5000, baseline: baseline! },
    attempts: rest.map((reward, index) => attempt(index + 1, reward)),
    ...more,
  };
}
