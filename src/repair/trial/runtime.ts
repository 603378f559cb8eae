/**
 * Runs inside the test process: the instrumented test file hands its tests, hooks and suites to this module,
 * which runs every candidate on them. Nothing here may depend on what the tested code can replace.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Course, Outcome, Stage, TrialRealm } from './run-test.ts';
import { Comparison } from './compare.ts';
import { CandidateSeries } from './candidate-series.ts';
import { isCall, isThenable, liftTimeout, now, standIn, type Call } from './guards.ts';
import { Meter, UNLIMITED, type Limits } from './meter.ts';
import { claimNumber, createRecorder, type TrialPlan, type TrialRecord } from './protocol.ts';
import { processSpace } from './process-space.ts';
import { runOnce, runSeries } from './series.ts';

type HookKind = 'beforeEach' | 'afterEach';

interface Hook {
  readonly call: Call;
  self: unknown;
  args: unknown[];
}

interface Scope {
  readonly parent: Scope | undefined;
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
}

interface Test {
  readonly key: string;
  readonly call: Call;
  readonly scope: Scope;
  readonly self: unknown;
  readonly args: unknown[];
}

/** What the instrumented test file calls; each takes a function of the test file and gives its stand-in. */
export interface Trials {
  test(site: number, call: unknown): unknown;
  hook(kind: HookKind, call: unknown): unknown;
  scope(call: unknown): unknown;
}

/** Rounds that the unchanged code may take: it may be what never ends, and memory does. */
const MOST_ROUNDS = 10_000_000;

/** `realm` is the global object that the tested code sees; `planFile` an absolute path. Throws if it cannot be read. */
export function startTrials(realm: TrialRealm, planFile: string): Trials {
  // Compiling thousands of variants that each run a few times costs more than interpreting them.
  setFlagsFromString('--no-sparkplug');
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as TrialPlan;
  const number = claimNumber(plan);
  const session = new Session(realm, { ...plan, shard: number % plan.shards }, createRecorder(plan, number));
  return {
    test: (site, call) => (isCall(call) ? session.test(site, call) : call),
    hook: (kind, call) => (isCall(call) ? session.hook(kind, call) : call),
    scope: (call) => (isCall(call) ? session.scope(call) : call),
  };
}

/** The state of one test file's run. */
class Session {
  readonly #stage: Stage;
  readonly #plan: TrialPlan & { readonly shard: number };
  readonly #record: (record: TrialRecord) => void;
  readonly #ordinals = new Map<number, number>();
  readonly #started = now();
  readonly #endless = new Set<number>();
  readonly #comparison: Comparison | undefined;
  #scope: Scope = { parent: undefined, beforeEach: [], afterEach: [] };
  #hits = new Set<number>();
  #busy = false;
  /** One test that calls the functions of the examples is enough to try them. */
  #hasExamples = false;
  #isPolluted = false;

  constructor(
    realm: TrialRealm,
    plan: TrialPlan & { readonly shard: number },
    record: (record: TrialRecord) => void,
  ) {
    const meter = new Meter();
    this.#stage = { realm, meter };
    this.#plan = plan;
    this.#record = record;
    if (plan.mode === 'compare') this.#comparison = new Comparison(this.#stage);
    realm.__ralphActive = 0;
    realm.__ralphTick = () => meter.tick();
    record({ type: 'loaded', pid: process.pid, space: processSpace() });
  }

  scope(call: Call): Call {
    const scope: Scope = { parent: this.#scope, beforeEach: [], afterEach: [] };
    const within = (outer: Scope): void => {
      this.#scope = outer;
    };
    const current = (): Scope => this.#scope;
    return standIn(call, function (this: unknown, ...args) {
      const outer = current();
      within(scope);
      const value = call.apply(this, args);
      if (isThenable(value)) return value.then(() => within(outer));
      within(outer);
      return value;
    });
  }

  hook(kind: HookKind, call: Call): Call {
    const hook: Hook = { call, self: undefined, args: [] };
    this.#scope[kind].push(hook);
    const run = (self: unknown, args: unknown[]): unknown => {
      this.#listen();
      hook.self = self;
      hook.args = args;
      return this.#invoke(call, self, args);
    };
    return standIn(call, function (this: unknown, ...args) {
      return run(this, args);
    });
  }

  test(site: number, call: Call): Call {
    const scope = this.#scope;
    const ordinal = (this.#ordinals.get(site) ?? 0) + 1;
    this.#ordinals.set(site, ordinal);
    const run = (self: unknown, args: unknown[]): unknown =>
      this.#busy || this.#isPolluted
        ? this.#invoke(call, self, args)
        : this.#explore({ key: `${site}#${ordinal}`, call, scope, self, args });
    return standIn(call, function (this: unknown, ...args) {
      return run(this, args);
    });
  }

  /** Runs the unchanged test, then the candidates, and ends as the unchanged test did. */
  async #explore(test: Test): Promise<unknown> {
    const { mode } = this.#plan;
    this.#busy = true;
    liftTimeout(test.self);
    try {
      this.#listen();
      const main = (): unknown => this.#invoke(test.call, test.self, test.args);
      const unchanged = (): Promise<Outcome> => this.#unchanged({ before: [], main, after: [] });
      const first = await (this.#comparison?.listen(unchanged) ?? unchanged());
      if (this.#comparison !== undefined) await this.#compare(test, this.#comparison);
      else if (mode === 'trace' || (mode === 'failing' && first.passed)) this.#report(test, first, true);
      else await this.#tryCandidates(test, first, this.#courseOf(test, main));
      if (!first.passed) throw first.error;
      return first.value;
    } finally {
      this.#hits = new Set();
      this.#busy = false;
    }
  }

  async #tryCandidates(test: Test, first: Outcome, course: Course): Promise<void> {
    await this.#aside(course.after);
    const again = first.timedOut ? first : await this.#unchanged(course);
    const steady = again.text === first.text;
    this.#report(test, first, steady);
    if (steady) {
      const series = this.#seriesOf(test, again, course);
      await runSeries(this.#stage, series);
      this.#isPolluted = series.isPolluted;
    }
    await this.#aside(course.before);
  }

  async #compare({ key }: Test, comparison: Comparison): Promise<void> {
    if (now() > this.#started + this.#plan.processBudgetMs) return;
    if (!this.#hasExamples) {
      const counts = await comparison.kept(this.#plan.ids, this.#plan.examples ?? []);
      this.#hasExamples = counts.length > 0;
      for (const count of counts) this.#record({ type: 'examples', ...count });
    }
    const behaviours = await comparison.behaviours(this.#plan.ids, this.#ordinals.size);
    for (const [id, outputs] of behaviours) this.#record({ type: 'behaviour', key, id, outputs });
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
      isReached() {
        const isReached = realm.__ralphReached === true;
        realm.__ralphReached = false;
        return isReached;
      },
    });
  }

  #courseOf({ scope }: Test, main: () => unknown): Course {
    const callsOf = (kind: HookKind): (() => unknown)[] =>
      hooksOf(scope, kind).map((hook) => () => this.#invoke(hook.call, hook.self, hook.args));
    return { before: callsOf('beforeEach'), main, after: callsOf('afterEach') };
  }

  #unchanged(course: Course): Promise<Outcome> {
    const limits: Limits = { limitMs: this.#plan.originalMs, maxRounds: MOST_ROUNDS };
    return runOnce(this.#stage, { id: 0, course }, limits);
  }

  /** Hooks by themselves, between the run that the runner knows of and ours; what they throw is passed over. */
  async #aside(hooks: Course['after']): Promise<void> {
    await runOnce(
      this.#stage,
      { id: 0, course: { before: [], main: () => undefined, after: hooks } },
      UNLIMITED,
    );
  }

  #invoke(call: Call, self: unknown, args: unknown[]): unknown {
    if (!this.#plan.callbacks || call.length <= args.length) return call.apply(self, args);
    return new Promise((resolve, reject) => {
      const done = (error?: unknown): void => (error ? reject(error as Error) : resolve(undefined));
      const returned = call.apply(self, [...args, Object.assign(done, { fail: reject })]);
      if (isThenable(returned)) returned.then(undefined, reject);
    });
  }

  #report(test: Test, first: Outcome, steady: boolean): void {
    const { passed, durationMs } = first;
    const hits = this.#plan.mode === 'trace' ? { hits: [...this.#hits] } : {};
    this.#record({ type: 'test', key: test.key, passed, steady, durationMs, ...hits });
  }

  /** From the first hook or test on: what modules do while they load is no test's doing. */
  #listen(): void {
    if (this.#plan.mode !== 'trace') return;
    const { realm, meter } = this.#stage;
    realm.__ralphTrace ??= (statement) => {
      this.#hits.add(statement);
      meter.tick();
    };
  }
}

/** Outer suites first for `beforeEach`, inner ones first for `afterEach`. */
function hooksOf(scope: Scope, kind: HookKind): Hook[] {
  const outer = scope.parent === undefined ? [] : hooksOf(scope.parent, kind);
  return kind === 'beforeEach' ? [...outer, ...scope[kind]] : [...scope[kind], ...outer];
}
