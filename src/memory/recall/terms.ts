import { wordsOf } from '../lessons/statement.ts';

/** Words that stand in nearly every task and failure, and tell none from another. */
const EVERYWHERE = new Set(
  (
    'actual array assert assertion assertionerror attempt call change check code command edit equal error expect ' +
    'expected fail failed failing failure false file fix function got green lesson line make message number object ' +
    'pass passes received repair result return run should source string strict test true undefined use value'
  ).split(' '),
);
const LONGEST = 60;

/** The words by which a text is found: whole, and the parts of paths and of names like `parseDate`; common ones left out. */
export function termsOf(text: string): string[] {
  const parts = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}@.-]+/gu, ' ');
  return [...wordsOf(text), ...wordsOf(parts)].filter(
    (term) => term.length > 1 && term.length <= LONGEST && !EVERYWHERE.has(term) && !/^[\d.,-]+$/.test(term),
  );
}
