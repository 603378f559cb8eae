import type { Candidate } from '../syntax/edit.ts';
import type { ParsedSource } from '../syntax/parse.ts';
import { changeOf } from './change.ts';
import { returnsConstant } from './constant-return.ts';
import { makesDead } from './dead-code.ts';
import type { TestValues } from './evidence.ts';
import { readsEarly } from './early-read.ts';
import { putsInExpectedValue } from './expected-value.ts';
import { comparesWithInput } from './input-condition.ts';

/** Why an edit is refused although it passes the tests: a phrase that follows "it". */
export type Refusal = string;

/**
 * Why an edit only answers the tests, whatever passes: it puts in an expected value, compares with an input of a test,
 * returns a constant, reads a variable before it has a value, or makes code dead. Undefined for an edit that may be a repair.
 */
export function refusalOf(
  before: ParsedSource,
  candidate: Candidate,
  tests: TestValues,
): Refusal | undefined {
  const change = changeOf(before, candidate);
  if (change === undefined) return undefined;
  const value = putsInExpectedValue(change, tests);
  if (value !== undefined) return `puts in ${shortened(value)}, a value of a test`;
  const input = comparesWithInput(change, tests);
  if (input !== undefined) return `compares with ${shortened(input)}, a value of a test`;
  const constant = returnsConstant(change);
  if (constant !== undefined) return `returns the constant ${shortened(constant)}`;
  const early = readsEarly(change);
  if (early !== undefined) return `reads ${shortened(early)} before it has a value`;
  const dead = makesDead(change);
  return dead === undefined ? undefined : `makes code dead: ${shortened(dead)}`;
}

const SHOWN = 60;

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}
