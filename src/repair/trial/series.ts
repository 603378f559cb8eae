/** Loaded in the test process: many runs of one test after another. */
import {
  clearTimeout as realClearTimeout,
  setImmediate as realSetImmediate,
  setTimeout as realSetTimeout,
} from 'node:timers';
import { Attempt, type Course, type Outcome, type Resume, type Stage } from './run-test.ts';
import { isTimeUp, now, runWatched, TimeUp } from './guards.ts';
import type { Limits } from './meter.ts';

/** Synchronous runs share one watch of the engine: setting it up costs more than most runs do. */
const SLICE_MS = 40;

/** One run of a series. */
export interface Turn {
  /** Of the candidate; 0 for the unchanged code. */
  readonly id: number;
  readonly course: Course;
}

export interface Series {
  readonly limits: Limits;
  /** Undefined at the end. */
  next(): Turn | undefined;
  /** Told before the next run is asked for. */
  done(turn: Turn, outcome: Outcome): void;
}

/** Runs the whole series. Never rejects for what the tested code does. */
export async function runSeries(stage: Stage, series: Series): Promise<void> {
  for (let isOver = false; !isOver;) {
    const slice = runSlice(stage, series);
    isOver = slice.isOver;
    if (slice.running !== undefined) {
      const { turn, attempt, pending } = slice.running;
      series.done(turn, await seeThrough(attempt, series.limits, pending));
    }
    await new Promise((resolve) => realSetImmediate(resolve));
  }
}

/** One run to its end; its synchronous stretches are watched by the engine where its limit is finite. */
export async function runOnce(stage: Stage, { id, course }: Turn, limits: Limits): Promise<Outcome> {
  const attempt = new Attempt(stage, course, { id, limits });
  return await seeThrough(attempt, limits, watch(attempt, limits, START));
}

const START: Resume = (steps) => steps.next();

interface Slice {
  isOver: boolean;
  /** A run that did not end within the slice. */
  running?: { readonly turn: Turn; readonly attempt: Attempt; readonly pending?: PromiseLike<unknown> };
}

/** One synchronous stretch of the series: until its time is up, or a run has to wait or is cut off. */
function runSlice(stage: Stage, series: Series): Slice {
  const slice: Slice = { isOver: false };
  const until = now() + SLICE_MS;
  const run = (): void => {
    while (now() < until) {
      const turn = series.next();
      if (turn === undefined) {
        slice.isOver = true;
        return;
      }
      const attempt = new Attempt(stage, turn.course, { id: turn.id, limits: series.limits });
      slice.running = { turn, attempt };
      const pending = attempt.advance(START);
      if (pending !== undefined) {
        slice.running = { turn, attempt, pending };
        return;
      }
      delete slice.running;
      series.done(turn, attempt.outcome!);
    }
  };
  try {
    runWatched(run, SLICE_MS + 2 * series.limits.limitMs);
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    slice.running?.attempt.cutOff();
  }
  return slice;
}

async function seeThrough(
  attempt: Attempt,
  limits: Limits,
  pending: PromiseLike<unknown> | undefined,
): Promise<Outcome> {
  let waiting = pending;
  for (;;) {
    if (attempt.outcome !== undefined) return attempt.outcome;
    const resume = waiting === undefined ? START : await settle(waiting, limits.limitMs);
    waiting = watch(attempt, limits, resume);
  }
}

function watch(attempt: Attempt, { limitMs }: Limits, resume: Resume): PromiseLike<unknown> | undefined {
  if (!Number.isFinite(limitMs)) return attempt.advance(resume);
  try {
    return runWatched(() => attempt.advance(resume), limitMs);
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    attempt.cutOff();
    return undefined;
  }
}

/** Waits, but not for longer than the limit; the result is how the run goes on. */
async function settle(pending: PromiseLike<unknown>, limitMs: number): Promise<Resume> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise((_, reject) => {
    if (Number.isFinite(limitMs)) timer = realSetTimeout(() => reject(new TimeUp('out of time')), limitMs);
  });
  try {
    const value = await Promise.race([pending, timeUp]);
    return (steps) => steps.next(value);
  } catch (error) {
    return (steps) => steps.throw(error);
  } finally {
    realClearTimeout(timer);
  }
}
