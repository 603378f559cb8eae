import type { FinishedCheck, LoopLimits, RunEvent } from '../../events.ts';
import type { TestFailure } from '../../ports/evaluation.ts';
import type { ProjectPlan } from '../../ports/plan.ts';
import type { Evaluation, Reflection, Usage } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { Activity } from './activity.ts';

/** One check as the live view shows it. */
export interface LiveCheck {
  readonly name: string;
  /** True while an evaluation waits for it. */
  running: boolean;
  /** Last result; undefined before the first one. */
  result: FinishedCheck | undefined;
  /** Maximum number of errors in this loop, the full length of its bar. */
  maxErrors: number;
  /** Share of the reward, 0..1; undefined before the first evaluation. */
  weight: number | undefined;
}

/** The lesson that the running attempt follows. */
export interface FollowedLesson {
  /** Attempt of this loop that it comes from; undefined: an earlier loop. */
  readonly attempt: number | undefined;
  readonly text: string;
  /** Number of other lessons and reflections in the prompt. */
  readonly more: number;
}

/** Current phase of a run. */
export type Phase =
  'starting' | 'baseline' | 'acting' | 'evaluating' | 'confirming' | 'reflecting' | 'remembering' | 'ended';

/** The current state of a run, built from its events. Times are milliseconds of one monotonic clock. */
export class RunModel {
  phase: Phase = 'starting';
  phaseSinceMs: number;
  startedMs: number;
  /** 1-based; 0 before the first. */
  attempt = 0;
  maxIterations = 0;
  limits: LoopLimits = {};
  stopping = false;
  following: FollowedLesson | undefined;
  /** The first test that failed in the running evaluation. */
  failing: TestFailure | undefined;
  readonly activity = new Activity();
  readonly checks: LiveCheck[] = [];
  /** Reward of the baseline, then of each attempt. */
  readonly rewards: number[] = [];
  /** Index into `rewards`. */
  best = 0;
  readonly #reflections = new Map<number, Reflection>();
  #finished: Usage = NO_USAGE;
  #running: Usage = NO_USAGE;

  constructor(nowMs: number) {
    this.startedMs = nowMs;
    this.phaseSinceMs = nowMs;
  }

  /** Usage so far, including the running attempt. */
  get usage(): Usage {
    return sumUsage([this.#finished, this.#running]);
  }

  on(event: RunEvent, nowMs: number): void {
    this.activity.on(event);
    switch (event.type) {
      case 'loop_started':
        this.startedMs = nowMs;
        this.maxIterations = event.maxIterations;
        this.limits = event.limits;
        return this.#plan(event.project.checks);
      case 'baseline_started':
        this.#plan(event.checks ?? []);
        return this.#evaluate('baseline', nowMs);
      case 'test_failed':
        this.failing ??= event;
        return undefined;
      case 'check_finished':
        return this.#checked(event.check);
      case 'baseline_evaluated':
        return this.#evaluated(event.evaluation, true, nowMs);
      case 'attempt_started':
        this.attempt = event.iteration;
        this.following = this.#reflected(event.window);
        return this.#enter('acting', nowMs);
      case 'memory_recalled':
        this.following = recalled(this.following, event);
        return undefined;
      case 'model_called':
        this.#running = sumUsage([this.#running, event.usage]);
        return undefined;
      case 'actor_finished':
        return this.#spent(event.trajectory.usage);
      case 'evaluation_started':
        return this.#evaluate(event.confirm ? 'confirming' : 'evaluating', nowMs);
      case 'attempt_evaluated':
        return this.#evaluated(event.evaluation, event.best, nowMs);
      case 'reflection_written':
        this.#reflections.set(event.iteration, event.reflection);
        this.#spent(event.reflection.reflector.usage ?? NO_USAGE);
        return this.#enter('remembering', nowMs);
      case 'stop_requested':
        this.stopping = true;
        return undefined;
      case 'loop_finished':
      case 'loop_failed':
        return this.#enter('ended', nowMs);
      default:
        return undefined;
    }
  }

  #enter(phase: Phase, nowMs: number): void {
    this.phase = phase;
    this.phaseSinceMs = nowMs;
  }

  #plan(checks: ProjectPlan['checks']): void {
    if (checks.length === 0) return;
    const blank = { running: false, result: undefined, maxErrors: 0, weight: undefined };
    this.checks.splice(0, Infinity, ...checks.map(({ name }) => ({ name, ...blank })));
  }

  #evaluate(phase: Phase, nowMs: number): void {
    for (const check of this.checks) check.running = true;
    this.failing = undefined;
    this.#enter(phase, nowMs);
  }

  #checked(result: FinishedCheck): void {
    const check = this.checks.find(({ name }) => name === result.name);
    if (check === undefined) return;
    check.running = false;
    check.result = result;
    if (result.status === 'pass' && this.failing?.check === result.name) this.failing = undefined;
    check.maxErrors = Math.max(check.maxErrors, result.errors);
  }

  #evaluated(evaluation: Evaluation, best: boolean, nowMs: number): void {
    for (const check of evaluation.checks) {
      this.#checked(check);
      const shown = this.checks.find(({ name }) => name === check.name);
      if (shown !== undefined) shown.weight = check.weight;
    }
    for (const check of this.checks) check.running = false;
    this.failing = undefined;
    this.rewards.push(evaluation.reward);
    if (best) this.best = this.rewards.length - 1;
    this.#enter(evaluation.passed ? 'remembering' : 'reflecting', nowMs);
  }

  #spent(usage: Usage): void {
    this.#finished = sumUsage([this.#finished, usage]);
    this.#running = NO_USAGE;
  }

  /** The first insight of the newest reflection in the window. */
  #reflected(window: readonly number[]): FollowedLesson | undefined {
    const attempt = window.toSorted((a, b) => a - b).at(-1);
    const reflection = attempt === undefined ? undefined : this.#reflections.get(attempt);
    if (reflection === undefined) return undefined;
    const { actionable_insights: insights, credit_assignment: credit } = reflection.self_reflection;
    return { attempt, text: insights[0] ?? credit.root_cause, more: window.length - 1 };
  }
}

function recalled(
  following: FollowedLesson | undefined,
  { lessons, insights }: Extract<RunEvent, { type: 'memory_recalled' }>,
): FollowedLesson | undefined {
  const count = lessons.length + insights;
  if (following !== undefined) return { ...following, more: following.more + count };
  const first = lessons[0];
  return first && { attempt: undefined, text: first.text, more: count - 1 };
}
