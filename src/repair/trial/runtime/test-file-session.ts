/** Loaded into the test process: the state of one test file's run. */
import { processSpace } from '../process-space.ts';
import type { TrialPlan, TrialRecord } from '../protocol.ts';
import { CandidateSeries } from './candidate-series.ts';
import { Comparison } from './comparison.ts';
import { callTest, invoke, type CallPlan, type PreparedCall } from './call-test.ts';
import { withFixedChance } from './fixed-chance.ts';
import { liftTimeout, now, standIn, type Call } from './guards.ts';
import { Meter, UNLIMITED, type Limits } from './meter.ts';
import { ValueLog } from './value-log.ts';
import { runOnce, runSeries } from './series.ts';
import { hooksOf, SuiteStack, type Hook, type HookKind, type Scope } from './suites.ts';
import type { Course, Outcome, Stage, TrialRealm } from './test-run.ts';

/** A plan and what the calling process knows. */
export type ShardPlan = TrialPlan &
  CallPlan & {
    /** Its number among the processes that share the candidates, 0-based. */
    readonly shard: number;
  };

interface Test extends PreparedCall {
  readonly key: string;
  readonly scope: Scope;
}

/** A course that ends in the same way each time, and how. */
interface Steady {
  readonly course: Course;
  readonly outcome: Outcome;
}

/** Rounds of loops that the unchanged code may take: it may be the code that never ends and exhausts the memory. */
const MOST_ROUNDS = 10_000_000;

/** Runs the plan on each test of the file as the runner calls it. */
export class TestFileSession {
  readonly #stage: Stage;
  readonly #plan: ShardPlan;
  readonly #record: (record: TrialRecord) => void;
  readonly #suites = new SuiteStack();
  readonly #ordinals = new Map<number, number>();
  readonly #started = now();
  readonly #endless = new Set<number>();
  readonly #comparison: Comparison | undefined;
  #hits = new Set<number>();
  #isLoading = true;
  #values = new ValueLog();
  #isBusy = false;
  /** Settles when every test that was started has ended. */
  #earlier: Promise<unknown> = Promise.resolve();
  /** Examples are tried once, on the first test that calls their functions. */
  #hasTriedExamples = false;
  #isPolluted = false;

  constructor(realm: TrialRealm, plan: ShardPlan, record: (record: TrialRecord) => void) {
    const meter = new Meter();
    this.#stage = { realm, meter };
    this.#plan = plan;
    this.#record = record;
    if (plan.mode === 'trace') this.#traceStatements();
    if (plan.mode === 'compare') this.#comparison = new Comparison(this.#stage);
    realm.__ralphActive = 0;
    realm.__ralphTick = () => meter.tick();
    record({ type: 'loaded', pid: process.pid, space: processSpace() });
  }

  /** A stand-in for the function of a suite. */
  scope(call: Call): Call {
    return this.#suites.enter(call);
  }

  /** A stand-in for a hook. */
  hook(kind: HookKind, call: Call): Call {
    const hook: Hook = { call, self: undefined, args: [] };
    this.#suites.current[kind].push(hook);
    const run = (self: unknown, args: unknown[]): unknown => {
      this.#startTracing();
      hook.self = self;
      hook.args = args;
      return invoke({ call, self, args }, this.#plan);
    };
    return standIn(call, function (this: unknown, ...args) {
      return run(this, args);
    });
  }

  /** A stand-in for the function of a test. */
  test(site: number, call: Call): Call {
    const scope = this.#suites.current;
    const ordinal = (this.#ordinals.get(site) ?? 0) + 1;
    this.#ordinals.set(site, ordinal);
    const run = (self: unknown, args: unknown[]): unknown =>
      this.#isBusy || this.#isPolluted
        ? invoke({ call, self, args }, this.#plan)
        : this.#runTest({ key: `${site}#${ordinal}`, call, scope, self, args });
    const inTurn = this.#plan.startsTogether;
    const start = (self: unknown, args: unknown[]): unknown =>
      inTurn ? this.#inTurn(() => run(self, args)) : run(self, args);
    return standIn(call, function (this: unknown, ...args) {
      return start(this, args);
    });
  }

  /** Runs a test after those that the runner started before it: two at a time would share one trace and one candidate. */
  #inTurn(test: () => unknown): Promise<unknown> {
    const result = this.#earlier.then(test);
    this.#earlier = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Runs the unchanged test, then the candidates, and ends as the unchanged test did. */
  async #runTest(test: Test): Promise<unknown> {
    const { mode, isTap } = this.#plan;
    this.#isBusy = true;
    this.#startTracing();
    // The runner's own run of the test before, which was traced as well.
    if (isTap) this.#forgetTrace();
    liftTimeout(test.self, test.args);
    try {
      const main = (): unknown => callTest(test, this.#plan);
      const unchanged = (): Promise<Outcome> => this.#runUnchanged({ before: [], main, after: [] });
      const first = await (this.#comparison?.listen(unchanged) ?? unchanged());
      if (this.#comparison !== undefined) await this.#compare(test, this.#comparison);
      else if (mode === 'trace' || (mode === 'failing' && first.passed)) this.#report(test, first, true);
      else await this.#tryCandidates(test, first, this.#courseOf(test, main));
      if (!isTap && !first.passed) throw first.error;
      if (!isTap) return first.value;
    } finally {
      this.#forgetTrace();
      this.#isBusy = false;
    }
    // The runner's own object learns the results of the unchanged code from a run of its own, and may begin the next test
    // before that run returns.
    return test.call.apply(test.self, test.args);
  }

  async #tryCandidates(test: Test, first: Outcome, course: Course): Promise<void> {
    await this.#runHooks(course.after);
    const steady = await this.#steadied(first, course);
    this.#report(test, first, steady !== undefined);
    if (steady !== undefined) {
      const series = this.#seriesOf(test, steady.outcome, steady.course);
      await runSeries(this.#stage, series);
      this.#isPolluted = series.isPolluted;
    }
    await this.#runHooks(course.before);
  }

  /** A course that ends twice alike: the test as it is, or else with the same random numbers in each run; undefined if neither does. */
  async #steadied(first: Outcome, course: Course): Promise<Steady | undefined> {
    const again = first.timedOut ? first : await this.#runUnchanged(course);
    if (again.text === first.text) return { course, outcome: again };
    const fixed = withFixedChance(course, this.#stage.realm);
    const [one, other] = [await this.#runUnchanged(fixed), await this.#runUnchanged(fixed)];
    const isSteady = one.text === other.text && one.passed === first.passed;
    return isSteady ? { course: fixed, outcome: other } : undefined;
  }

  async #compare({ key }: Test, comparison: Comparison): Promise<void> {
    if (now() > this.#started + this.#plan.processBudgetMs) return;
    if (!this.#hasTriedExamples) {
      const counts = await comparison.countExamples(this.#plan.ids, this.#plan.examples ?? []);
      this.#hasTriedExamples = counts.length > 0;
      for (const count of counts) this.#record({ type: 'examples', ...count });
    }
    const { inputs, outputs: results } = await comparison.behaviours(this.#plan.ids, this.#ordinals.size);
    this.#record({ type: 'inputs', key, inputs });
    for (const [id, outputs] of results) this.#record({ type: 'behaviour', key, id, outputs });
  }

  #seriesOf({ key }: Test, first: Outcome, course: Course): CandidateSeries {
    const { pending, ids, shard, shards, testBudgetMs, processBudgetMs } = this.#plan;
    const { realm } = this.#stage;
    return new CandidateSeries({
      key,
      course,
      first,
      plan: this.#plan,
      ids: (pending?.[key] ?? ids).filter((_, index) => index % shards === shard),
      end: Math.min(now() + testBudgetMs, this.#started + processBudgetMs),
      endless: this.#endless,
      record: this.#record,
      takeReached() {
        const isReached = realm.__ralphReached === true;
        realm.__ralphReached = false;
        return isReached;
      },
    });
  }

  #courseOf({ scope, args }: Test, main: () => unknown): Course {
    // Where tests start together, the arguments of a hook's last call may be those of another test.
    const argsOf = (hook: Hook): unknown[] => (this.#plan.startsTogether ? args : hook.args);
    const callsOf = (kind: HookKind): (() => unknown)[] =>
      hooksOf(scope, kind).map((hook) => () => invoke({ ...hook, args: argsOf(hook) }, this.#plan));
    return { before: callsOf('beforeEach'), main, after: callsOf('afterEach') };
  }

  #runUnchanged(course: Course): Promise<Outcome> {
    const limits: Limits = { limitMs: this.#plan.originalMs, maxRounds: MOST_ROUNDS };
    return runOnce(this.#stage, { id: 0, course }, limits);
  }

  /** Runs hooks alone, between the runner's own run of the test and the candidates'; ignores what they throw. */
  async #runHooks(hooks: Course['after']): Promise<void> {
    await runOnce(
      this.#stage,
      { id: 0, course: { before: [], main: () => undefined, after: hooks } },
      UNLIMITED,
    );
  }

  #report(test: Test, first: Outcome, steady: boolean): void {
    const { passed, durationMs } = first;
    const trace =
      this.#plan.mode === 'trace' ? { hits: [...this.#hits], values: this.#values.all() } : undefined;
    this.#record({ type: 'test', key: test.key, passed, steady, durationMs, ...trace });
  }

  #forgetTrace(): void {
    this.#hits = new Set();
    this.#values = new ValueLog();
  }

  /** From the first hook or test on: code that runs while modules load belongs to no test. */
  #startTracing(): void {
    if (this.#plan.mode !== 'trace' || !this.#isLoading) return;
    this.#isLoading = false;
    this.#record({ type: 'loading', hits: [...this.#hits] });
    this.#forgetTrace();
    this.#stage.realm.__ralphValue = (expression, value) => this.#values.add(expression, value);
  }

  /** A loop without end is stopped in a test only: what runs while modules load has no test that could be ended. */
  #traceStatements(): void {
    const { realm, meter } = this.#stage;
    this.#hits = new Set(realm.__ralphTrace?.seen);
    realm.__ralphTrace = (statement) => {
      this.#hits.add(statement);
      if (!this.#isLoading) meter.tick();
    };
  }
}
