import type { AnalysisBreakthrough, AnalysisCurvePoint, AnalysisLoop } from '../../schema/generated.ts';
import { hasPassed, rewardsOf, type LoopHistory } from './history.ts';
import { mean, median } from './statistics.ts';

/** A gain of less than this is a step like others. */
const BREAKTHROUGH = 0.1;
/** The curve ends here, however long a loop was. */
const MOST_POINTS = 100;

/**
 * How much a loop gained for each reward that it saw: (last − first) ÷ n over its rewards, the baseline first; 0 with
 * fewer than two.
 */
export function learningRate(rewards: readonly number[]): number {
  return rewards.length < 2 ? 0 : (rewards.at(-1)! - rewards[0]!) / rewards.length;
}

/** A loop in one line of figures. */
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
    tried: triedIn(loop),
  };
}

/**
 * Mean over loops of the best reward so far, by attempt; 0 is the baseline. A loop that has ended keeps its best, so
 * that the curve is not that of the loops which take longest.
 */
export function learningCurve(loops: readonly LoopHistory[]): AnalysisCurvePoint[] {
  const begun = loops.filter(({ baseline }) => baseline !== null);
  const iterations = begun.flatMap(({ attempts }) => attempts.map(({ iteration }) => iteration));
  const last = Math.min(MOST_POINTS, largest(iterations, 0));
  return Array.from({ length: begun.length === 0 ? 0 : last + 1 }, (_, attempt) => ({
    attempt,
    loops: begun.length,
    running: begun.filter(({ attempts }) => attempts.some(({ iteration }) => iteration === attempt)).length,
    reward: mean(begun.map((loop) => bestUntil(loop, attempt)))!,
  }));
}

/** Attempts that beat everything before them in their loop by 0.1 or more, or that passed; the largest gain first. */
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

/** Over loops that passed by an attempt of their own; null where there is none. */
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
    median_tried: median(known(passed.map(triedIn))),
  };
}

/** Null for a loop that did not pass by an attempt. */
export function attemptsToSuccess({ attempts }: LoopHistory): number | null {
  return attempts.find(({ passed }) => passed)?.iteration ?? null;
}

/** Candidates of all attempts; null where no actor counted any. */
export function triedIn({ attempts }: LoopHistory): number | null {
  const counts = attempts.flatMap(({ tried }) => tried ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function msToSuccess(loop: LoopHistory): number | null {
  if (attemptsToSuccess(loop) === null || loop.endedAt === null) return null;
  return Math.max(0, loop.endedAt - loop.startedAt);
}

function bestUntil({ baseline, attempts }: LoopHistory, attempt: number): number {
  const reached = attempts.filter(({ iteration }) => iteration <= attempt).map(({ reward }) => reward);
  return largest(reached, baseline ?? 0);
}

function largest(values: readonly number[], least: number): number {
  return values.reduce((most, value) => Math.max(most, value), least);
}
