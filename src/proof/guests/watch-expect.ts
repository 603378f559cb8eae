type Owner = Record<PropertyKey, unknown>;

/** Functions of the realm that the watch of `expect` calls. */
export interface ExpectTools {
  /** Reports that something by this name was replaced. */
  readonly report: (name: string) => void;
  /** Watches the functions of an object. */
  readonly guardAll: (owner: unknown, name: string, isFixed: boolean) => void;
}

/** Where the `expect` of Jest and Vitest comes into a realm. */
export interface WatchedExpect {
  /** The definition of a property of an object, changed so that what it shows is watched. */
  readonly watched: (owner: unknown, key: PropertyKey, given: PropertyDescriptor) => PropertyDescriptor;
  /** Watches what a property was defined as. */
  readonly noteDefined: (owner: unknown, key: PropertyKey, given: PropertyDescriptor) => void;
}

/**
 * Watches `expect` of Jest and Vitest, their matchers and equality testers, and the number of Jest's retries.
 *
 * It must not refer to anything outside of its body: its source text also runs in contexts of `node:vm`.
 */
export function watchExpect({ report, guardAll }: ExpectTools): WatchedExpect {
  const scope = globalThis as unknown as Owner;
  const { defineProperty, getPrototypeOf, hasOwn, prototype } = Object;
  const { apply, set: assign } = Reflect;
  const OwnProxy = Proxy;
  const { isArray } = Array;

  /** `matchers` and `customEqualityTesters` of Jest's `expect`, or the latter of Vitest's. */
  function watchMatchers(state: Owner, keys = ['matchers', 'customEqualityTesters']): void {
    for (const key of keys) {
      const table = state[key];
      if (typeof table !== 'object' || table === null) continue;
      state[key] = new OwnProxy(table, {
        set(target, name, value, receiver) {
          if (typeof name === 'string' && name !== 'length' && (hasOwn(target, name) || key !== 'matchers'))
            report(key === 'matchers' ? `expect().${name}` : 'the equality testers of expect');
          return assign(target, name, value, receiver === state[key] ? target : receiver);
        },
      });
    }
  }

  /** The prototypes of what Vitest's `expect` returns. */
  function watchResults(expect: unknown): void {
    try {
      let at: unknown = (expect as (value: unknown) => unknown)(1);
      for (let depth = 0; depth < 4; depth++) {
        at = getPrototypeOf(at) as unknown;
        if (at === null || at === prototype) return;
        guardAll(at, 'expect()', false);
      }
    } catch {
      // An `expect` that cannot be called here cannot be watched.
    }
  }

  /** `jest.retryTimes`: a test that is repeated until it passes. */
  let times: unknown;
  defineProperty(scope, Symbol.for('RETRY_TIMES'), {
    configurable: true,
    enumerable: false,
    get: () => times,
    set(value: unknown) {
      times = value;
      report('the number of retries');
    },
  });

  return {
    /** Vitest shows its equality testers by a getter, as a new object each time. */
    watched(owner, key, given) {
      const { get } = given;
      if (owner !== scope || key !== Symbol.for('$$jest-matchers-object') || get === undefined) return given;
      let testers: unknown[] | undefined;
      return {
        ...given,
        get() {
          const shown = apply(get, scope, []) as Owner;
          const { customEqualityTesters: list } = shown;
          if (testers === undefined && isArray(list)) {
            watchMatchers(shown, ['customEqualityTesters']);
            testers = shown['customEqualityTesters'] as unknown[];
          }
          return testers === undefined ? shown : { ...shown, customEqualityTesters: testers };
        },
      };
    },
    noteDefined(owner, key, given) {
      if (owner !== scope || typeof key !== 'symbol') return;
      if (key === Symbol.for('expect-global')) watchResults(given.value);
      if (key === Symbol.for('$$jest-matchers-object') && typeof given.value === 'object')
        watchMatchers(given.value as Owner);
    },
  };
}
