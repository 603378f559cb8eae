/**
 * Runs inside the test process: the instrumented test file hands its tests, hooks and suites to this module,
 * which runs every candidate on them. Nothing here may depend on what the tested code can replace.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as realSetTimeout, clearTimeout as realClearTimeout } from 'node:timers';
import {
  describeError,
  forbidExit,
  isCall,
  isThenable,
  isTimeUp,
  liftTimeout,
  runWatched,
  standIn,
  TimeUp,
  type Call,
} from './trial-guards.ts';
import { createRecorder, type TrialPlan, type TrialRecord } from './trial-protocol.ts';

type HookKind = 'beforeEach' | 'afterEach';

/** What the instrumented code reads and sets on the global object of its realm. */
interface TrialGlobal {
  __ralphActive?: number;
  __ralphReached?: boolean;
  __ralphTick?: () => void;
  __ralphTrace?: (statement: number) => void;
  process?: { exit?: unknown };
}

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

interface Outcome {
  readonly passed: boolean;
  readonly error?: unknown;
  readonly value?: unknown;
  /** How it ended, for comparing two runs. */
  readonly text: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly rounds: number;
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

const CONTROL_EVERY = 40;
const CANDIDATE_FACTOR = 10;
/** Rounds of loops that a candidate may take, where the unchanged code takes few; by far more is an endless loop. */
const LEAST_ROUNDS = 20_000;
const ROUNDS_FACTOR = 50;
/** Rounds that the unchanged code may take: it may be what never ends, and memory does. */
const MOST_ROUNDS = 10_000_000;

/** `realm` is the global object that the tested code sees; `planFile` an absolute path. Throws if it cannot be read. */
export function startTrials(realm: TrialGlobal, planFile: string): Trials {
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as TrialPlan;
  const session = new Session(realm, plan, createRecorder(plan.records));
  return {
    test: (site, call) => (isCall(call) ? session.test(site, call) : call),
    hook: (kind, call) => (isCall(call) ? session.hook(kind, call) : call),
    scope: (call) => (isCall(call) ? session.scope(call) : call),
  };
}

/** The state of one test file's run. */
class Session {
  readonly #realm: TrialGlobal;
  readonly #plan: TrialPlan;
  readonly #record: (record: TrialRecord) => void;
  readonly #ordinals = new Map<number, number>();
  readonly #started = performance.now();
  #scope: Scope = { parent: undefined, beforeEach: [], afterEach: [] };
  #hits = new Set<number>();
  #busy = false;
  #deadline = Infinity;
  #rounds = 0;
  #maxRounds = Infinity;
  /** Candidates that did not come to an end on one test are spared the others. */
  readonly #endless = new Set<number>();
  /** A candidate left something behind: nothing that this process says from now on counts. */
  #isPolluted = false;

  constructor(realm: TrialGlobal, plan: TrialPlan, record: (record: TrialRecord) => void) {
    this.#realm = realm;
    this.#plan = plan;
    this.#record = record;
    realm.__ralphActive = 0;
    realm.__ralphTick = () => this.#tick();
    record({ type: 'loaded' });
  }

  #tick(): void {
    const isOver = ++this.#rounds > this.#maxRounds;
    if (isOver || ((this.#rounds & 255) === 0 && performance.now() > this.#deadline)) {
      throw new TimeUp('out of time');
    }
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
    this.#busy = true;
    liftTimeout(test.self);
    try {
      this.#listen();
      const first = await this.#attempt(test, { id: 0, limitMs: this.#plan.originalMs, hooks: false });
      if (this.#plan.mode === 'trace') this.#report(test, first, true);
      else if (this.#plan.mode === 'failing' && first.passed) this.#report(test, first, true);
      else await this.#tryCandidates(test, first);
      if (!first.passed) throw first.error;
      return first.value;
    } finally {
      this.#hits = new Set();
      this.#busy = false;
    }
  }

  async #tryCandidates(test: Test, first: Outcome): Promise<void> {
    await this.#runHooks(test, 'afterEach', Infinity).catch(() => {});
    const again = first.timedOut ? first : await this.#again(test);
    const steady = again.text === first.text;
    this.#report(test, first, steady);
    if (steady) await this.#tryEach(test, again);
    await this.#runHooks(test, 'beforeEach', Infinity).catch(() => {});
  }

  async #tryEach(test: Test, first: Outcome): Promise<void> {
    const { pending, ids, careful, minCandidateMs, testBudgetMs, processBudgetMs } = this.#plan;
    const limitMs = first.timedOut
      ? minCandidateMs * 2
      : Math.max(minCandidateMs, first.durationMs * CANDIDATE_FACTOR);
    const maxRounds = first.timedOut ? LEAST_ROUNDS : Math.max(LEAST_ROUNDS, first.rounds * ROUNDS_FACTOR);
    const end = Math.min(performance.now() + testBudgetMs, this.#started + processBudgetMs);
    let unchecked: number[] = [];
    for (const id of pending?.[test.key] ?? ids) {
      if (performance.now() > end) break;
      this.#record({ type: 'start', key: test.key, id });
      this.#realm.__ralphReached = false;
      const { passed, text, timedOut } = this.#endless.has(id)
        ? first
        : await this.#attempt(test, { id, limitMs, hooks: true, maxRounds });
      if (timedOut) this.#endless.add(id);
      const reached = this.#realm.__ralphReached;
      this.#record({ type: 'end', key: test.key, id, passed, reached, moved: text !== first.text });
      unchecked.push(id);
      if (unchecked.length < CONTROL_EVERY && !careful.includes(id)) continue;
      if (await this.#findsPollution(test, first, unchecked)) return;
      unchecked = [];
    }
    if (unchecked.length > 0) await this.#findsPollution(test, first, unchecked);
  }

  async #findsPollution(test: Test, first: Outcome, ids: readonly number[]): Promise<boolean> {
    this.#isPolluted = !first.timedOut && (await this.#again(test)).text !== first.text;
    if (this.#isPolluted) this.#record({ type: 'polluted', key: test.key, ids });
    return this.#isPolluted;
  }

  /** The unchanged code once more, hooks included, as candidates run. */
  #again(test: Test): Promise<Outcome> {
    return this.#attempt(test, { id: 0, limitMs: this.#plan.originalMs, hooks: true });
  }

  async #attempt(
    test: Test,
    how: {
      readonly id: number;
      readonly limitMs: number;
      readonly hooks: boolean;
      readonly maxRounds?: number;
    },
  ): Promise<Outcome> {
    const started = performance.now();
    const restoreExit = forbidExit(this.#realm);
    this.#realm.__ralphActive = how.id;
    this.#deadline = started + how.limitMs;
    this.#rounds = 0;
    this.#maxRounds = how.maxRounds ?? MOST_ROUNDS;
    const end = (rest: { passed: boolean; text: string; error?: unknown; value?: unknown }): Outcome => ({
      timedOut: isTimeUp(rest.error),
      durationMs: performance.now() - started,
      rounds: this.#rounds,
      ...rest,
    });
    try {
      if (how.hooks) await this.#runHooks(test, 'beforeEach', how.limitMs);
      const value = await this.#within(() => this.#invoke(test.call, test.self, test.args), how.limitMs);
      if (how.hooks) await this.#runHooks(test, 'afterEach', how.limitMs);
      return end({ passed: true, text: 'passed', value });
    } catch (error) {
      if (how.hooks) await this.#runHooks(test, 'afterEach', how.limitMs).catch(() => {});
      return end({ passed: false, text: `failed: ${describeError(error)}`, error });
    } finally {
      this.#realm.__ralphActive = 0;
      this.#deadline = Infinity;
      this.#maxRounds = Infinity;
      restoreExit();
    }
  }

  async #runHooks(test: Test, kind: HookKind, limitMs: number): Promise<void> {
    for (const hook of hooksOf(test.scope, kind)) {
      await this.#within(() => this.#invoke(hook.call, hook.self, hook.args), limitMs);
    }
  }

  /** A call's value; its synchronous part is cut off by the engine itself, the rest is given up on in time. */
  async #within(call: () => unknown, limitMs: number): Promise<unknown> {
    const value = Number.isFinite(limitMs) ? runWatched(call, limitMs) : call();
    if (!isThenable(value) || !Number.isFinite(limitMs)) return value;
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise((_, reject) => {
      timer = realSetTimeout(() => reject(new TimeUp('out of time')), limitMs);
    });
    try {
      return await Promise.race([value, timeUp]);
    } finally {
      realClearTimeout(timer);
    }
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
    this.#realm.__ralphTrace ??= (statement) => {
      this.#hits.add(statement);
      this.#tick();
    };
  }
}

/** Outer suites first for `beforeEach`, inner ones first for `afterEach`. */
function hooksOf(scope: Scope, kind: HookKind): Hook[] {
  const outer = scope.parent === undefined ? [] : hooksOf(scope.parent, kind);
  return kind === 'beforeEach' ? [...outer, ...scope[kind]] : [...scope[kind], ...outer];
}
