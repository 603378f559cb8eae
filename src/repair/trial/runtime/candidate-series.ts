/** Loaded into the test process: the runs of all candidates on one test. */
import type { TrialPlan, TrialRecord } from '../protocol.ts';
import { now } from './guards.ts';
import type { Limits } from './meter.ts';
import type { Series, Turn } from './series.ts';
import type { Course, Outcome } from './test-run.ts';

const CONTROL_EVERY = 40;
const CANDIDATE_FACTOR = 10;
/** Rounds of loops that a candidate may take if the unchanged code takes few; with more it counts as an endless loop. */
const LEAST_ROUNDS = 20_000;
const ROUNDS_FACTOR = 50;
/** The limit if the unchanged code never ends: most candidates do not end either, and each must cost little. */
const ENDLESS_ROUNDS = 2000;

/** One test and the candidates to run on it. */
export interface CandidateRuns {
  readonly key: string;
  readonly course: Course;
  /** Outcome of the unchanged code. */
  readonly first: Outcome;
  readonly plan: TrialPlan;
  /** Candidates of this process, most promising first; the plan's careful ones come last. */
  readonly ids: readonly number[];
  /** `performance.now()` at which no further candidate starts. */
  readonly end: number;
  /** Candidates that did not end on one test and are not tried on others; the series adds to it. */
  readonly endless: Set<number>;
  readonly record: (record: TrialRecord) => void;
  /** Whether the active candidate's code ran since the last call. */
  readonly takeReached: () => boolean;
}

/** Runs every candidate, and the unchanged code after every 40: unless it ends as before, the last results are void. */
export class CandidateSeries implements Series {
  readonly limits: Limits;
  readonly #runs: CandidateRuns;
  readonly #careful: ReadonlySet<number>;
  #at = 0;
  #unchecked: number[] = [];
  #isPolluted = false;

  constructor(runs: CandidateRuns) {
    this.#runs = runs;
    this.#careful = new Set(runs.plan.careful);
    this.limits = limitsFor(runs.first, runs.plan);
  }

  /** A candidate left state behind: further results of this process are not valid. */
  get isPolluted(): boolean {
    return this.#isPolluted;
  }

  next(): Turn | undefined {
    const { course, end, ids, key, record } = this.#runs;
    if (this.#isPolluted) return undefined;
    if (this.#isControlDue()) return { id: 0, course };
    if (now() > end) return this.#endWithControl();
    this.#skipEndless();
    const id = ids[this.#at];
    if (id === undefined) return this.#endWithControl();
    this.#at++;
    record({ type: 'start', key, id, limitMs: this.limits.limitMs });
    return { id, course };
  }

  done({ id }: Turn, outcome: Outcome): void {
    if (id === 0) this.#control(outcome);
    else this.#end(id, outcome);
  }

  #isControlDue(): boolean {
    const last = this.#unchecked.at(-1);
    return last !== undefined && (this.#unchecked.length >= CONTROL_EVERY || this.#careful.has(last));
  }

  #endWithControl(): Turn | undefined {
    return this.#unchecked.length > 0 ? { id: 0, course: this.#runs.course } : undefined;
  }

  #control({ text }: Outcome): void {
    const { first, key, record } = this.#runs;
    this.#isPolluted = !first.timedOut && text !== first.text;
    if (this.#isPolluted) record({ type: 'polluted', key, ids: this.#unchecked });
    this.#unchecked = [];
  }

  #end(id: number, { passed, text, timedOut }: Outcome): void {
    const { endless, first, key, record, takeReached } = this.#runs;
    if (timedOut) endless.add(id);
    record({ type: 'end', key, id, passed, reached: takeReached(), moved: text !== first.text, timedOut });
    this.#unchecked.push(id);
  }

  #skipEndless(): void {
    const { endless, first, ids, key, record } = this.#runs;
    for (let id = ids[this.#at]; id !== undefined && endless.has(id); id = ids[++this.#at]) {
      record({ type: 'end', key, id, passed: first.passed, reached: false, moved: false, timedOut: false });
    }
  }
}

function limitsFor({ timedOut, durationMs, rounds }: Outcome, { minCandidateMs }: TrialPlan): Limits {
  if (timedOut) return { limitMs: minCandidateMs, maxRounds: ENDLESS_ROUNDS };
  return {
    limitMs: Math.max(minCandidateMs, durationMs * CANDIDATE_FACTOR),
    maxRounds: Math.max(LEAST_ROUNDS, rounds * ROUNDS_FACTOR),
  };
}
