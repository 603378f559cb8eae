/** Loaded into the test process: many runs of one test in a row. */
import {
  clearTimeout as realClearTimeout,
  setImmediate as realSetImmediate,
  setTimeout as realSetTimeout,
} from 'node:timers';
import { TestRun, type Course, type Outcome, type Resume, type Stage } from './test-run.ts';
import { isTimeUp, now, runWatched, TimeUp } from './guards.ts';
import type { Limits } from './meter.ts';

/** Synchronous runs of this time share one interrupt of the engine, which costs more to set up than most runs take. */
const SLICE_MS = 40;

/** One run of a series. */
export interface Turn {
  /** Number of the candidate; 0 for the unchanged code. */
  readonly id: number;
  readonly course: Course;
}

/** A source of runs that learns the outcome of each before it gives the next. */
export interface Series {
  readonly limits: Limits;
  /** The next run; undefined at the end. */
  next(): Turn | undefined;
  /** Called with the outcome of each run before `next` is called again. */
  done(turn: Turn, outcome: Outcome): void;
}

/** Runs the whole series. Never rejects because of the tested code. */
export async function runSeries(stage: Stage, series: Series): Promise<void> {
  for (let isOver = false; !isOver;) {
    const slice = runSlice(stage, series);
    isOver = slice.isOver;
    if (slice.running !== undefined) {
      const { turn, run, pending } = slice.running;
      series.done(turn, await finish(run, series.limits, pending));
    }
    await new Promise((resolve) => realSetImmediate(resolve));
  }
}

/** Performs one run to its end. The engine interrupts its synchronous code if the limit is finite. */
export async function runOnce(stage: Stage, { id, course }: Turn, limits: Limits): Promise<Outcome> {
  const run = new TestRun(stage, course, { id, limits });
  return await finish(run, limits, advanceWatched(run, limits, START));
}

const START: Resume = (steps) => steps.next();

interface Slice {
  isOver: boolean;
  /** The run that did not end within the slice, and the promise that it waits for. */
  running?: { readonly turn: Turn; readonly run: TestRun; readonly pending?: PromiseLike<unknown> };
}

/** Performs runs synchronously until the slice's time is up, or a run has to wait or is interrupted. */
function runSlice(stage: Stage, series: Series): Slice {
  const slice: Slice = { isOver: false };
  const until = now() + SLICE_MS;
  const runAll = (): void => {
    while (now() < until) {
      const turn = series.next();
      if (turn === undefined) {
        slice.isOver = true;
        return;
      }
      const run = new TestRun(stage, turn.course, { id: turn.id, limits: series.limits });
      slice.running = { turn, run };
      const pending = run.advance(START);
      if (pending !== undefined) {
        slice.running = { turn, run, pending };
        return;
      }
      delete slice.running;
      series.done(turn, run.outcome!);
    }
  };
  try {
    runWatched(runAll, SLICE_MS + 2 * series.limits.limitMs);
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    slice.running?.run.interrupt();
  }
  return slice;
}

async function finish(
  run: TestRun,
  limits: Limits,
  pending: PromiseLike<unknown> | undefined,
): Promise<Outcome> {
  let waiting = pending;
  for (;;) {
    if (run.outcome !== undefined) return run.outcome;
    const resume = waiting === undefined ? START : await settle(waiting, limits.limitMs);
    waiting = advanceWatched(run, limits, resume);
  }
}

function advanceWatched(run: TestRun, { limitMs }: Limits, resume: Resume): PromiseLike<unknown> | undefined {
  if (!Number.isFinite(limitMs)) return run.advance(resume);
  try {
    return runWatched(() => run.advance(resume), limitMs);
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    run.interrupt();
    return undefined;
  }
}

/** Waits for a promise, at most for the limit; returns how the run continues. */
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
