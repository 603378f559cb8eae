import * as calls from './calls.ts';
import * as conditions from './conditions.ts';
import type { Mutator } from './mutator.ts';
import { regex } from './regex.ts';
import { statement } from './statements.ts';
import * as values from './values.ts';

/** Every mutator by its name. The order decides which mutants of a line are tried first. */
export const MUTATORS: Readonly<Record<string, Mutator>> = {
  comparison: conditions.comparison,
  method: calls.method,
  condition: conditions.condition,
  logical: conditions.logical,
  arithmetic: values.arithmetic,
  statement,
  number: values.number,
  regex,
  boolean: values.boolean,
  string: values.string,
  'drop-method': calls.dropMethod,
  'drop-argument': calls.dropArgument,
  'drop-await': calls.dropAwait,
  assignment: values.assignment,
  negation: conditions.negation,
  'optional-chain': conditions.optionalChain,
  'default-value': values.defaultValue,
  sign: values.sign,
  'template-text': values.templateText,
  property: values.property,
  array: values.array,
  'return-value': values.returnValue,
};
