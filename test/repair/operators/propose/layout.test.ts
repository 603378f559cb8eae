import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../src/repair/syntax/edit.ts';
import { indentEdit } from '../../../../src/repair/operators/propose/layout.ts';

function insert(text: string, replacement: string): string {
  const start = text.indexOf('|');
  const source = text.replace('|', '');
  return applyEdits(source, [{ ...indentEdit(source, { start, end: start, replacement }) }]);
}

describe('indentEdit', () => {
  it.each([
    [
      'before a statement',
      'f() {\n  |return x;\n}',
      'if (!x) return 0;\n',
      'f() {\n  if (!x) return 0;\n  return x;\n}',
    ],
    ['after a statement', 'f() {\n    x = 1;|\n}', '\nx = 2;', 'f() {\n    x = 1;\n    x = 2;\n}'],
    ['before a closing brace', 'f() {\n  x();\n|}', 'return x;\n', 'f() {\n  x();\n  return x;\n}'],
    ['after an opening brace', 'f() {|\n\tx();\n}', '\nx = 0;', 'f() {\n\tx = 0;\n\tx();\n}'],
    [
      'in tabs, one level deeper',
      'a {\n\tf() {\n\t\tx();\n\t|}\n}',
      'break;\n',
      'a {\n\tf() {\n\t\tx();\n\t\tbreak;\n\t}\n}',
    ],
    ['on one line not at all', 'f() { |x(); }', 'y(); ', 'f() { y(); x(); }'],
  ])('indents an insertion %s', (_, text, replacement, result) => {
    expect(insert(text, replacement)).toBe(result);
  });
});
