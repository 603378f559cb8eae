/** Loaded into the test process: runs a test of tape or tap without the runner's own object, which can report once. */
import { isCall, isThenable, type Call } from './guards.ts';
import { assertionOf, type Assertion } from './tap-assertions.ts';

/** Members of the runner's object that report nothing. */
const PASSED_ON = new Set(['name', 'context', 'testdir', 'testdirName', 'fixture', 'mockRequire', 'mock']);

type Settle = (error?: unknown) => void;

/**
 * Calls the function of a test with an object that has the assertions of tape and tap. Throws, or rejects, with the
 * error of the first assertion that failed as soon as the test has ended.
 */
export function callTapTest(call: Call, self: unknown, [runners]: readonly unknown[]): unknown {
  const run = new TapRun(runners as object);
  const returned = call.call(self, run.object);
  if (isThenable(returned)) return returned.then(() => run.settled(true));
  return run.settled(false);
}

class TapRun {
  readonly object: object;
  readonly #tearDowns: Call[] = [];
  #failure: { readonly error: unknown } | undefined;
  #planned = Infinity;
  /** Number of assertions that began, and of those that have a result. */
  #started = 0;
  #count = 0;
  #hasEnded = false;
  #pending: PromiseLike<unknown>[] = [];
  #onEnd: Settle = () => undefined;

  constructor(runners: object) {
    this.object = new Proxy(runners, { get: (target, name) => this.#member(target, name) });
  }

  /** Undefined or a promise; throws where the test has ended with a failure. `isOver`: the test waits for nothing. */
  settled(isOver: boolean): unknown {
    if (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      return Promise.all(pending).then(() => this.settled(isOver));
    }
    if (isOver || this.#isComplete()) {
      if (isOver && this.#planned !== Infinity && !this.#isComplete()) this.#fail(new Error('plan not met'));
      return this.#finish();
    }
    return new Promise((resolve) => {
      this.#onEnd = () => resolve(undefined);
    }).then(() => this.settled(true));
  }

  #isComplete(): boolean {
    return this.#hasEnded || this.#count >= this.#planned;
  }

  #finish(): void {
    for (const tearDown of this.#tearDowns.splice(0)) tearDown.call(this.object);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  #member(runners: object, name: string | symbol): unknown {
    if (typeof name === 'symbol') return undefined;
    if (name === 'plan') return (count: number) => void (this.#planned = count);
    if (name === 'end') return (error?: unknown) => this.#end(error);
    if (/^tear_?down$/i.test(name)) return (call: Call) => void this.#tearDowns.push(call);
    if (SILENT.has(name)) return () => undefined;
    if (PASSED_ON.has(name)) {
      const value = (runners as Record<string, unknown>)[name];
      return isCall(value) ? value.bind(runners) : value;
    }
    const assertion = assertionOf(name);
    if (assertion === undefined) return undefined;
    return (...args: unknown[]) => this.#assert(name, assertion, args);
  }

  #assert(name: string, holds: Assertion, args: readonly unknown[]): unknown {
    const number = ++this.#started;
    const conclude = (isTrue: boolean): void => {
      if (!isTrue) this.#fail(new Error(`assertion ${number}: ${name}`));
      this.#count++;
      if (this.#isComplete()) this.#onEnd();
    };
    const failed = (error: unknown): void => {
      this.#fail(error);
      conclude(false);
    };
    try {
      const result = holds(...args);
      if (isThenable(result)) {
        const settled = (result as Promise<boolean>).then(conclude, failed);
        this.#pending.push(settled);
        return settled;
      }
      conclude(result);
      return result;
    } catch (error) {
      failed(error);
      return false;
    }
  }

  #end(error: unknown): void {
    if (error) this.#fail(error);
    this.#hasEnded = true;
    this.#onEnd();
  }
}

const SILENT = new Set(['comment', 'diagnostic', 'skip', 'todo', 'timeoutAfter', 'setTimeout']);
