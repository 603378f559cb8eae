import type { AnalysisArm, AnalysisComparison } from '../../schema/generated.ts';
import { hasPassed, type LoopHistory } from './history.ts';
import { attemptsToSuccess, candidatesTried } from './progress.ts';
import { shareOf } from '../statistics/shares.ts';
import { bootstrap, differenceOfShares, mean } from '../statistics/statistics.ts';

/** Loops with a known result, without those whose checks passed at the start. */
export function endedLoops(loops: readonly LoopHistory[]): LoopHistory[] {
  return loops.filter((loop) => hasPassed(loop) !== null && loop.status !== 'nothing_to_do');
}

/**
 * Compares loops with long-term memory to those without. Loops were not assigned at random, so a difference may have
 * other causes.
 */
export function compareMemory(loops: readonly LoopHistory[]): AnalysisComparison {
  return compare(
    loops.filter(({ memory }) => memory === true),
    loops.filter(({ memory }) => memory === false),
  );
}

/** Compares loops whose baseline has a failure of an earlier loop to those with new failures only. */
export function compareFamiliar(loops: readonly LoopHistory[]): AnalysisComparison {
  const seen = new Set<string>();
  const familiar = new Set<LoopHistory>();
  for (const loop of [...loops].sort((a, b) => a.startedAt - b.startedAt)) {
    if (loop.failures.some((mark) => seen.has(mark))) familiar.add(loop);
    for (const mark of [...loop.failures, ...loop.attempts.flatMap(({ failures }) => failures)])
      seen.add(mark);
  }
  const known = loops.filter(({ failures }) => failures.length > 0);
  return compare(
    known.filter((loop) => familiar.has(loop)),
    known.filter((loop) => !familiar.has(loop)),
  );
}

function compare(first: readonly LoopHistory[], second: readonly LoopHistory[]): AnalysisComparison {
  const [one, two] = [armOf(first), armOf(second)];
  const { part, n } = one.success;
  const difference = differenceOfShares({ part, whole: n }, { part: two.success.part, whole: two.success.n });
  return {
    with: one,
    without: two,
    success_difference:
      one.success.share === null || two.success.share === null ? null : one.success.share - two.success.share,
    low: difference?.low ?? null,
    high: difference?.high ?? null,
    too_few: one.success.too_few || two.success.too_few,
  };
}

function armOf(loops: readonly LoopHistory[]): AnalysisArm {
  const ended = endedLoops(loops);
  const figure = (of: (loop: LoopHistory) => number | null): AnalysisArm['attempts'] => {
    const values = ended.map(of).filter((value) => value !== null);
    const interval = values.length < 2 ? null : bootstrap(values, mean);
    return { n: values.length, mean: mean(values), low: interval?.low ?? null, high: interval?.high ?? null };
  };
  return {
    success: shareOf(ended, (loop) => hasPassed(loop) === true),
    attempts: figure(attemptsToSuccess),
    tried: figure((loop) => (attemptsToSuccess(loop) === null ? null : candidatesTried(loop))),
  };
}
