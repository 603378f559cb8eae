import { describe, expect, it } from 'vitest';
import { proposeLintEdits } from '../../../src/repair/fixers/lint-edits.ts';

const first = (text: string, line: number, column: number, message: string): string | undefined =>
  proposeLintEdits(text, { file: 'a.js', line, column, text: message })[0]?.text;

describe('proposeLintEdits', () => {
  it.each([
    ['eqeqeq', 'if (a === b || a == b) {}', 1, 18, 'eqeqeq', 'if (a === b || a === b) {}'],
    ['noDoubleEquals', 'if (a == b && c != d) {}', 1, 17, 'noDoubleEquals', 'if (a == b && c !== d) {}'],
    ['an assignment in a condition', 'if (a = b) {}', 1, 5, 'no-cond-assign', 'if (a === b) {}'],
    [
      'prefer-const',
      'let a = 1;\nuse(a);',
      1,
      5,
      "'a' is never reassigned. (prefer-const)",
      'const a = 1;\nuse(a);',
    ],
    [
      'no-const-assign',
      'const a = 1;\na = 2;',
      2,
      1,
      "'a' is constant. (no-const-assign)",
      'let a = 1;\na = 2;',
    ],
    ['an unused variable', 'use();\n  const a = 1;\nuse();', 2, 9, 'no-unused-vars', 'use();\nuse();'],
    [
      'a misspelled name',
      'function f(width) { return widht; }',
      1,
      28,
      "'widht' is not defined. (no-undef)",
      'function f(width) { return width; }',
    ],
    ['valid-typeof', "a = typeof b === 'strnig';", 1, 18, 'valid-typeof', "a = typeof b === 'string';"],
    ['an empty statement', 'use();;', 1, 7, 'no-extra-semi', 'use();'],
    [
      'a missing break',
      'switch (a) {\n  case 1:\n    use();\n  case 2:\n}',
      4,
      3,
      'no-fallthrough',
      'switch (a) {\n  case 1:\n    use();\n    break;\n  case 2:\n}',
    ],
  ])('answers %s', (_, text, line, column, message, expected) => {
    expect(first(text, line, column, message)).toBe(expected);
  });

  it.each([
    ['an unused value that a call makes', 'const a = use();', 'no-unused-vars'],
    ['a rule that is not known', 'a == b;', 'own/rule'],
    ['a file that does not parse', 'if (a == ', 'eqeqeq'],
  ])('proposes nothing for %s', (_, text, message) => {
    expect(proposeLintEdits(text, { file: 'a.js', line: 1, column: 1, text: message })).toEqual([]);
  });
});
