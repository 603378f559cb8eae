import { proposeCandidates } from '../operators/propose/candidates.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import type { Region } from '../syntax/regions.ts';
import type { TypeProblem } from './type-project.ts';

/** A small edit near a type error. */
export interface TypeEdit {
  readonly candidate: Candidate;
  readonly text: string;
}

const LIMIT = 120;

/** Operators that mend a value; those that take code away would silence the error with the code. */
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
 * Small edits on the lines of a type error that could make the types fit, most natural first: names and
 * properties, conversions, defaults, and literals that the error's message names.
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

/** What types say well: conversions, defaults and spelled-out literals before other numbers. */
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

/** String literals of the types that the message expects, in quotes. */
function literalsIn(message: string): string[] {
  const wanted = /(?:to (?:type|parameter of type)) '([\s\S]+?)'\.?(?:\n|$)/.exec(message)?.[1] ?? message;
  return [...wanted.matchAll(/"([^"\n]*)"/g)].map(([, value]) => JSON.stringify(value));
}

/** The lines that the error covers. */
function regionOf(text: string, start: number, length: number): Region {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', start + length);
  return { start: from, end: next < 0 ? text.length : next, weight: 1 };
}
