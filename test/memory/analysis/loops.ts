import type { AttemptHistory, LoopHistory } from '../../../src/memory/analysis/history.ts';

/** An attempt with this reward and no reflection. */
export function attempt(
  iteration: number,
  reward: number,
  more: Partial<AttemptHistory> = {},
): AttemptHistory {
  return { iteration, reward, passed: reward === 1, shown: [], failures: [], ...more };
}

/** A loop with these rewards, the baseline first; it passed if the last reward is 1. */
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
