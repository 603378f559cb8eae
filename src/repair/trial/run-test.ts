/** Loaded in the test process: one run of one test. */
import { describeError, forbidExit, isThenable, isTimeUp, TimeUp } from './guards.ts';
import type { Limits, Meter } from './meter.ts';

/** What the instrumented code reads and sets on the global object of its realm. */
export interface TrialRealm {
  /** Number of the candidate that is switched on; 0 for the unchanged code. */
  __ralphActive?: number;
  /** Whether code of the active candidate ran. */
  __ralphReached?: boolean;
  __ralphTick?: () => void;
  __ralphTrace?: (statement: number) => void;
  /** Told of calls of suspected functions: where, the function, its `this`, its arguments. */
  __ralphEnter?: (site: string, callee: unknown, self: unknown, args: unknown[]) => void;
  process?: { exit?: unknown };
}

/** Where attempts run, one at a time. */
export interface Stage {
  readonly realm: TrialRealm;
  readonly meter: Meter;
}

/** The calls that one run of a test consists of; each may return something to wait for. */
export interface Course {
  readonly before: readonly (() => unknown)[];
  readonly main: () => unknown;
  readonly after: readonly (() => unknown)[];
}

export interface Outcome {
  readonly passed: boolean;
  readonly error?: unknown;
  readonly value?: unknown;
  /** How it ended, for comparing two runs. */
  readonly text: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly rounds: number;
}

type Steps = Generator<unknown, unknown, unknown>;

/** How a course goes on after a wait. */
export type Resume = (steps: Steps) => IteratorResult<unknown, unknown>;

const START: Resume = (steps) => steps.next();

/**
 * One run of a test under one candidate. It advances without a promise of its own as long as the tested code
 * does: hundreds of runs can share one stretch of synchronous code.
 */
export class Attempt {
  readonly id: number;
  readonly #stage: Stage;
  readonly #course: Course;
  readonly #started = performance.now();
  readonly #restoreExit: () => void;
  #steps: Steps;
  #isCut = false;
  #outcome: Outcome | undefined;

  constructor(stage: Stage, course: Course, { id, limits }: { id: number; limits: Limits }) {
    this.id = id;
    this.#stage = stage;
    this.#course = course;
    this.#steps = stepsOf(course);
    this.#restoreExit = forbidExit(stage.realm);
    stage.realm.__ralphActive = id;
    stage.meter.start(limits);
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Goes on until there is something to wait for, which is returned, or until there is an outcome. */
  advance(resume: Resume = START): PromiseLike<unknown> | undefined {
    try {
      let step = resume(this.#steps);
      while (step.done !== true) {
        if (isThenable(step.value)) return step.value;
        step = this.#steps.next(step.value);
      }
      this.#end({ passed: true, text: 'passed', value: step.value });
    } catch (error) {
      this.#end({ passed: false, text: `failed: ${describeError(error)}`, error });
    }
    return undefined;
  }

  /** The engine ended it in the middle of a call: what is left are the hooks that tidy up, the first time. */
  cutOff(): void {
    const error = new TimeUp('out of time');
    if (this.#isCut) this.#end({ passed: false, text: `failed: ${describeError(error)}`, error });
    this.#isCut = true;
    this.#steps = tidyAndThrow(this.#course.after, error);
  }

  #end(rest: { passed: boolean; text: string; error?: unknown; value?: unknown }): void {
    const { realm, meter } = this.#stage;
    const durationMs = performance.now() - this.#started;
    this.#outcome ??= { timedOut: isTimeUp(rest.error), durationMs, rounds: meter.rounds, ...rest };
    realm.__ralphActive = 0;
    meter.stop();
    this.#restoreExit();
  }
}

function* stepsOf({ before, main, after }: Course): Steps {
  let value: unknown;
  try {
    for (const hook of before) yield hook();
    value = yield main();
  } catch (error) {
    yield* tidyAndThrow(after, error);
  }
  const failures = yield* tidy(after);
  if (failures.length > 0) throw failures[0];
  return value;
}

function* tidyAndThrow(after: Course['after'], error: unknown): Steps {
  yield* tidy(after);
  throw error;
}

/** Runs every hook, whatever the others do; returns what they threw. */
function* tidy(after: Course['after']): Generator<unknown, unknown[], unknown> {
  const failures: unknown[] = [];
  for (const hook of after) {
    try {
      yield hook();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
