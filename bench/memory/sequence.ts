import { plural } from '../../src/platform/text/plural.ts';

/** A one-line bug in a module of its own, and its test cases. */
export interface Slip {
  /** Name of the module: `src/NAME.js`, `test/NAME.test.js`. */
  readonly module: string;
  /** The correct module. */
  readonly source: string;
  /** Text that occurs exactly once in the source. */
  readonly right: string;
  /** Its replacement, which makes the bug. */
  readonly wrong: string;
  /** Expressions and their expected values, both as code; the module's exports are in scope. */
  readonly cases: readonly (readonly [expression: string, expected: string])[];
}

/** Bugs of one repository in the order in which they are reported. */
export interface Sequence {
  readonly name: string;
  readonly slips: readonly Slip[];
}

/** The module with the bug. Throws an Error if the text to replace does not occur exactly once. */
export function slippedSource({ module, source, right, wrong }: Slip): string {
  const parts = source.split(right);
  if (parts.length !== 2)
    throw new Error(`${module}: "${right}" occurs ${plural(parts.length - 1, 'time')}, not once.`);
  return parts.join(wrong);
}
