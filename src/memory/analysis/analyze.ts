import type { Analysis, Lesson, MemoryTrial } from '../../schema/generated.ts';
import { calibration, judgedReflections } from './calibration.ts';
import { compareFamiliar, compareMemory, endedLoops } from './comparisons.ts';
import { categoryCounts, errorCounts } from './failures.ts';
import { hasPassed, type LoopHistory } from './history.ts';
import { lessonEffects } from './lesson-effects.ts';
import { analyzeTrials } from './trials.ts';
import { breakthroughs, learningCurve, summarise, timeToSuccess } from './progress.ts';
import type { History } from './read-history.ts';
import { shareOf } from '../statistics/shares.ts';
import { mean } from '../statistics/statistics.ts';

/** Most breakthroughs that are listed. */
const MOST_NAMED = 20;

export interface AnalysisRequest {
  readonly history: History;
  /** Lessons of every status. */
  readonly lessons: readonly Lesson[];
  /** Loops of the experiment that withholds memory, oldest first. */
  readonly trials?: readonly MemoryTrial[];
  /** Restricts the figures to one loop; the comparisons and the experiment always use all loops. */
  readonly loopId?: string;
}

/** The figures of a repository's loops, or of one loop. */
export function analyze({ history, lessons, trials = [], loopId }: AnalysisRequest): Analysis {
  const all = history.loops;
  const loops = all.filter(({ id }) => loopId === undefined || id === loopId);
  const summaries = loops.map(summarise);
  const gains = breakthroughs(loops);
  return {
    loop_id: loopId ?? null,
    loops: summaries,
    attempts: loops.reduce((sum, { attempts }) => sum + attempts.length, 0),
    success: shareOf(endedLoops(loops), (loop) => hasPassed(loop) === true),
    rate: mean(summaries.filter(({ rewards }) => rewards.length > 1).map(({ rate }) => rate)),
    curve: learningCurve(loops),
    breakthroughs: gains.slice(0, MOST_NAMED),
    breakthrough_count: gains.length,
    errors: errorCounts(loops),
    time_to_success: timeToSuccess(loops),
    categories: categoryCounts(loops),
    calibration: calibration(judgedReflections(loops)),
    lessons: lessonEffects(loopId === undefined ? lessons : lessonsIn(loops, lessons), loops),
    memory: compareMemory(all),
    familiar: compareFamiliar(all),
    experiment: analyzeTrials(trials, lessons),
    left_out: [...history.leftOut],
  };
}

/** Lessons that the loops were shown or that came from them. */
function lessonsIn(loops: readonly LoopHistory[], lessons: readonly Lesson[]): Lesson[] {
  const shown = new Set(loops.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.shown)));
  const ids = new Set(loops.map(({ id }) => id));
  return lessons.filter(
    ({ id, source }) => shown.has(id) || (source.loop_id !== undefined && ids.has(source.loop_id)),
  );
}
