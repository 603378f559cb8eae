/** Loaded into the test process: runs a test of node:test many times with the runner's one object. */
import { isCall, isThenable } from './guards.ts';

/** Whether a value is the object that node:test passes to a test. */
export function isNodeContext(value: unknown): value is object {
  const { plan, diagnostic, runOnly } = (value ?? {}) as Record<string, unknown>;
  return isCall(plan) && isCall(diagnostic) && isCall(runOnly);
}

/**
 * Calls a test with a stand-in for the runner's object, whose `plan` may be set once only. Throws, or rejects, where the
 * test makes fewer or more assertions than it planned. Mocks are restored at the end.
 */
export function callNodeTest(call: (context: object) => unknown, runners: object): unknown {
  const run = new NodeTestRun(runners);
  let returned: unknown;
  try {
    returned = call(run.object);
  } catch (error) {
    run.restoreMocks();
    throw error;
  }
  if (!isThenable(returned)) return run.end(returned);
  return returned.then(
    (value) => run.end(value),
    (error: unknown) => {
      run.restoreMocks();
      throw error;
    },
  );
}

class NodeTestRun {
  readonly object: object;
  #planned: number | undefined;
  /** Number of assertions and subtests that began. */
  #count = 0;
  #mock: { reset?: unknown } | undefined;

  constructor(runners: object) {
    this.object = new Proxy(runners, { get: (target, name) => this.#member(target, name) });
  }

  end(value: unknown): unknown {
    this.restoreMocks();
    if (this.#planned !== undefined && this.#planned !== this.#count)
      throw new Error(`plan of ${this.#planned} assertions, ${this.#count} made`);
    return value;
  }

  restoreMocks(): void {
    const reset = this.#mock?.reset;
    if (isCall(reset)) reset.call(this.#mock);
  }

  #member(target: object, name: string | symbol): unknown {
    const value: unknown = Reflect.get(target, name, target);
    if (name === 'plan') return (count: number, options?: unknown) => this.#plan(count, options);
    if (name === 'assert') return this.#counting(value as object);
    if (name === 'mock') this.#mock = value as { reset?: unknown };
    if (!isCall(value)) return value;
    const bound = value.bind(target);
    return name === 'test' ? this.#counted(bound) : bound;
  }

  /** A plan that the runner waits for is left to the confirmation: a trial ends with the test's function. */
  #plan(count: number, options: unknown): void {
    if (options === undefined) this.#planned = count;
  }

  #counting(assertions: object): object {
    // Behind an empty target, because a proxy may not replace the members of a frozen one.
    const get = (_: object, name: string | symbol): unknown => {
      const value: unknown = Reflect.get(assertions, name, assertions);
      return isCall(value) ? this.#counted(value.bind(assertions)) : value;
    };
    return new Proxy({}, { get });
  }

  #counted(call: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
    return (...args) => {
      this.#count++;
      return call(...args);
    };
  }
}
