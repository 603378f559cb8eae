/** One slip in a module of its own, and the tests that a report of it brings. */
export interface Slip {
  /** Name of the module: `src/NAME.js`, `test/NAME.test.js`. */
  readonly module: string;
  /** The module as it should be. */
  readonly source: string;
  /** What stands in it once, and what was written in its place. */
  readonly right: string;
  readonly wrong: string;
  /** Expressions and the values that they should have, both as code; what is exported is in scope. */
  readonly cases: readonly (readonly [expression: string, expected: string])[];
}

/** Bugs of one repository in the order in which they are reported. */
export interface Sequence {
  readonly name: string;
  readonly slips: readonly Slip[];
}

/** The module with the slip in it. Throws an Error where what is to be replaced does not stand there once. */
export function slippedSource({ module, source, right, wrong }: Slip): string {
  const parts = source.split(right);
  if (parts.length !== 2) throw new Error(`${module}: "${right}" stands ${parts.length - 1} times in it.`);
  return parts.join(wrong);
}
