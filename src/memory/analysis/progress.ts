import type { AnalysisBreakthrough, AnalysisCurvePoint, AnalysisLoop } from '../../schema/generated.ts';
import { hasPassed, rewardsOf, type LoopHistory } from './history.ts';
import { mean, median } from '../statistics/statistics.ts';

/** Least gain of a breakthrough. */
const BREAKTHROUGH = 0.1;
/** Most attempts of the learning curve. */
const MOST_POINTS = 100;

/** Learning rate: (last − first) ÷ n over a loop's n rewards, the baseline first; 0 for fewer than two rewards. */
export function learningRate(rewards: readonly number[]): number {
  return rewards.length < 2 ? 0 : (rewards.at(-1)! - rewards[0]!) / rewards.length;
}

/** The figures of one loop. */
export function summarise(loop: LoopHistory): AnalysisLoop {
  const rewards = rewardsOf(loop);
  return {
    loop_id: loop.id,
    task: loop.task,
    status: loop.status,
    memory: loop.memory,
    passed: hasPassed(loop),
    attempts: loop.attempts.length,
    rewards,
    rate: learningRate(rewards),
    attempts_to_success: attemptsToSuccess(loop),
    ms_to_success: msToSuccess(loop),
    tried: candidatesTried(loop),
  };
}

/**
 * Mean over loops by attempt, of the attempt's own reward and of the best reward so far; attempt 0 is the baseline. A loop that has
 * ended keeps its best reward, so that long loops do not dominate the end of the curve; of rewards of attempts it has none.
 */
export function learningCurve(loops: readonly LoopHistory[]): AnalysisCurvePoint[] {
  const measured = loops.filter(({ baseline }) => baseline !== null);
  const iterations = measured.flatMap(({ attempts }) => attempts.map(({ iteration }) => iteration));
  const last = Math.min(MOST_POINTS, largest(iterations, 0));
  return Array.from({ length: measured.length === 0 ? 0 : last + 1 }, (_, attempt) => ({
    attempt,
    loops: measured.length,
    running: measured.filter(({ attempts }) => attempts.some(({ iteration }) => iteration === attempt))
      .length,
    reward: mean(measured.map((loop) => bestUntil(loop, attempt)))!,
    own_reward: mean(measured.flatMap((loop) => rewardAt(loop, attempt))),
  }));
}

/** Attempts that exceeded all earlier rewards of their loop by 0.1 or more, or passed; the largest gain first. */
export function breakthroughs(loops: readonly LoopHistory[]): AnalysisBreakthrough[] {
  return loops.flatMap(breakthroughsIn).sort((a, b) => b.gain - a.gain);
}

function breakthroughsIn({ id, baseline, attempts }: LoopHistory): AnalysisBreakthrough[] {
  let best = baseline ?? 1;
  return attempts.flatMap(({ iteration, reward, passed }) => {
    const gain = reward - best;
    best = Math.max(best, reward);
    return gain >= BREAKTHROUGH || (passed && gain > 0)
      ? [{ loop_id: id, attempt: iteration, gain, passed }]
      : [];
  });
}

/** Medians over the loops that passed in an attempt; null where there is none. `median_ms`: milliseconds. */
export function timeToSuccess(loops: readonly LoopHistory[]): {
  loops: number;
  median_attempts: number | null;
  median_ms: number | null;
  median_tried: number | null;
} {
  const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);
  const passed = loops.filter((loop) => attemptsToSuccess(loop) !== null);
  return {
    loops: passed.length,
    median_attempts: median(known(passed.map(attemptsToSuccess))),
    median_ms: median(known(passed.map(msToSuccess))),
    median_tried: median(known(passed.map(candidatesTried))),
  };
}

/** Number of the first attempt that passed; null where none did. */
export function attemptsToSuccess({ attempts }: LoopHistory): number | null {
  return attempts.find(({ passed }) => passed)?.iteration ?? null;
}

/** Candidates that all attempts of a loop tried; null where none is counted. */
export function candidatesTried({ attempts }: LoopHistory): number | null {
  const counts = attempts.flatMap(({ tried }) => tried ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function msToSuccess(loop: LoopHistory): number | null {
  if (attemptsToSuccess(loop) === null || loop.endedAt === null) return null;
  return Math.max(0, loop.endedAt - loop.startedAt);
}

/** The reward of an attempt, 0 the baseline; empty where the loop has none. */
function rewardAt({ baseline, attempts }: LoopHistory, attempt: number): number[] {
  if (attempt === 0) return baseline === null ? [] : [baseline];
  return attempts.flatMap(({ iteration, reward }) => (iteration === attempt ? [reward] : []));
}

function bestUntil({ baseline, attempts }: LoopHistory, attempt: number): number {
  const reached = attempts.filter(({ iteration }) => iteration <= attempt).map(({ reward }) => reward);
  return largest(reached, baseline ?? 0);
}

function largest(values: readonly number[], least: number): number {
  return values.reduce((most, value) => Math.max(most, value), least);
}
