/** Loaded into the test process: the suites of a test file and their hooks. */
import { isThenable, standIn, type Call } from './guards.ts';

export type HookKind = 'beforeEach' | 'afterEach';

/** A hook as the runner called it last, so that it can be called again for each candidate. */
export interface Hook {
  readonly call: Call;
  self: unknown;
  args: unknown[];
}

/** A suite, or the file itself. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
}

/** Keeps track of the suite that is being declared. */
export class SuiteStack {
  #current: Scope = { parent: undefined, beforeEach: [], afterEach: [] };

  get current(): Scope {
    return this.#current;
  }

  /** A stand-in for a suite's function: what it declares belongs to a new scope. */
  enter(call: Call): Call {
    const scope: Scope = { parent: this.#current, beforeEach: [], afterEach: [] };
    const setCurrent = (next: Scope): void => {
      this.#current = next;
    };
    const current = (): Scope => this.#current;
    return standIn(call, function (this: unknown, ...args) {
      const outer = current();
      setCurrent(scope);
      const value = call.apply(this, args);
      if (isThenable(value)) return value.then(() => setCurrent(outer));
      setCurrent(outer);
      return value;
    });
  }
}

/** Hooks in the order in which runners call them: outer suites first for `beforeEach`, inner ones first for `afterEach`. */
export function hooksOf(scope: Scope, kind: HookKind): Hook[] {
  const outer = scope.parent === undefined ? [] : hooksOf(scope.parent, kind);
  return kind === 'beforeEach' ? [...outer, ...scope[kind]] : [...scope[kind], ...outer];
}
