import { statementWords } from './statement.ts';

/** Words of nearly every task and failure: they do not tell one lesson from another. */
const UBIQUITOUS = new Set(
  (
    'actual array assert assertion assertionerror attempt call change check code command edit equal error expect ' +
    'expected fail failed failing failure false file fix function got green lesson line make message number object ' +
    'pass passes received repair result return run should source string strict test true undefined use value'
  ).split(' '),
);
const MAX_CHARS = 60;

/**
 * Terms by which lessons are ranked for a task and its failures: whole words, and the parts of paths and of names such
 * as `parseDate`; numbers, single characters and ubiquitous words left out.
 */
export function recallTerms(text: string): string[] {
  const parts = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}@.-]+/gu, ' ');
  return [...statementWords(text), ...statementWords(parts)].filter(
    (term) =>
      term.length > 1 && term.length <= MAX_CHARS && !UBIQUITOUS.has(term) && !/^[\d.,-]+$/.test(term),
  );
}
