/** Loaded into the test process: one run of one test. */
import { describeError, forbidExit, isThenable, isTimeUp, TimeUp } from './guards.ts';
import type { Limits, Meter } from './meter.ts';

/** The global object of the tested code's realm, with the properties that instrumented code uses. */
export interface TrialRealm {
  /** Number of the active candidate; 0 for the unchanged code. */
  __ralphActive?: number;
  /** Whether the active candidate's code ran. */
  __ralphReached?: boolean;
  /** Called at the start of each round of a loop. */
  __ralphTick?: () => void;
  /** Called with the id of each statement that is reached; `seen` has those that were before a session listened. */
  __ralphTrace?: ((statement: number) => void) & { readonly seen?: ReadonlySet<number> };
  /** Called with the id and the value of each watched expression that is evaluated. */
  __ralphValue?: (expression: number, value: unknown) => void;
  /** Called at the start of each call of a suspected function. */
  __ralphEnter?: (site: string, callee: unknown, self: unknown, args: unknown[]) => void;
  process?: { exit?: unknown };
  Math?: { random?: unknown };
}

/** The realm and the meter of test runs, of which one is active at a time. */
export interface Stage {
  readonly realm: TrialRealm;
  readonly meter: Meter;
}

/** The calls of one run of a test, in order; each may return a promise. */
export interface Course {
  readonly before: readonly (() => unknown)[];
  readonly main: () => unknown;
  readonly after: readonly (() => unknown)[];
}

/** The result of one run of a test. */
export interface Outcome {
  readonly passed: boolean;
  readonly error?: unknown;
  readonly value?: unknown;
  /** `passed`, or `failed:` and the error; equal for runs that ended in the same way. */
  readonly text: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** Rounds of loops that the run took. */
  readonly rounds: number;
}

type Steps = Generator<unknown, unknown, unknown>;

/** Continues a course after a wait, with the promise's value or error. */
export type Resume = (steps: Steps) => IteratorResult<unknown, unknown>;

const START: Resume = (steps) => steps.next();

/**
 * One run of a test under one candidate. It creates no promise unless the tested code does, so that hundreds of
 * synchronous runs can share one interrupt of the engine.
 */
export class TestRun {
  readonly id: number;
  readonly #stage: Stage;
  readonly #course: Course;
  readonly #started = performance.now();
  readonly #restoreExit: () => void;
  #steps: Steps;
  #isInterrupted = false;
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

  /** Continues until the run has an outcome or must wait; returns the promise to wait for. */
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

  /** Called after the engine interrupted a call: the `after` hooks still run, unless one of them was interrupted. */
  interrupt(): void {
    const error = new TimeUp('out of time');
    if (this.#isInterrupted) this.#end({ passed: false, text: `failed: ${describeError(error)}`, error });
    this.#isInterrupted = true;
    this.#steps = cleanUpAndThrow(this.#course.after, error);
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
    yield* cleanUpAndThrow(after, error);
  }
  const failures = yield* cleanUp(after);
  if (failures.length > 0) throw failures[0];
  return value;
}

function* cleanUpAndThrow(after: Course['after'], error: unknown): Steps {
  yield* cleanUp(after);
  throw error;
}

/** Runs every hook, also after one that throws; returns the errors. */
function* cleanUp(after: Course['after']): Generator<unknown, unknown[], unknown> {
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
