import { proposeCandidates } from '../operators/propose/candidates.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import type { Region } from '../syntax/regions.ts';
import type { TypeProblem } from './type-project.ts';

/** A small edit near a type error. */
export interface TypeEdit {
  readonly candidate: Candidate;
  /** The file's text with the edit. */
  readonly text: string;
}

const LIMIT = 120;

/** Operators that change a value; those that delete code would only delete the error with it. */
const OPERATORS: ReadonlySet<string> = new Set([
  'variable',
  'property',
  'built-in',
  'string',
  'number',
  'boolean',
  'nothing',
  'literal-to-variable',
  'expression-to-variable',
  'convert',
  'fallback',
  'optional-chain',
  'missing-await',
  'missing-return',
  'swap-arguments',
  'extra-argument',
  'spread-argument',
  'call-or-value',
  'append',
  'this',
  'swap-elements',
  'shorthand',
  'wrap',
]);

/**
 * Small edits on the lines of a type error that could correct the types, most natural first: names and properties,
 * conversions, defaults, and literals from the error's message.
 */
export function proposeTypeEdits(text: string, problem: TypeProblem, file: string): TypeEdit[] {
  const named = literalsIn(problem.message);
  const candidates = proposeCandidates({
    file,
    text,
    regions: [regionOf(text, problem.start, problem.length || 1)],
    hints: { expected: named, received: [], literals: named },
    operators: OPERATORS,
    favour: AWAIT.test(problem.message) ? FAVOUR_AWAIT : FAVOUR,
    limit: LIMIT,
  });
  return candidates.map((candidate) => ({ candidate, text: applyEdits(text, candidate.edits) }));
}

/** Factors on priors: a type error suggests conversions, defaults and literals rather than other numbers. */
const FAVOUR: ReadonlyMap<string, number> = new Map([
  ['convert', 2],
  ['fallback', 1.5],
  ['optional-chain', 1.5],
  ['string', 1.2],
  ['number', 0.5],
  ['append', 0.5],
]);

const AWAIT = /Did you forget to use 'await'\?|\bPromise</;
const FAVOUR_AWAIT = new Map([...FAVOUR, ['missing-await', 6] as const]);

/** Quoted string literals in the type that the message expects. */
function literalsIn(message: string): string[] {
  const wanted = /(?:to (?:type|parameter of type)) '([\s\S]+?)'\.?(?:\n|$)/.exec(message)?.[1] ?? message;
  return [...wanted.matchAll(/"([^"\n]*)"/g)].map(([, value]) => JSON.stringify(value));
}

/** The whole lines of the error. */
function regionOf(text: string, start: number, length: number): Region {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', start + length);
  return { start: from, end: next < 0 ? text.length : next, weight: 1 };
}
