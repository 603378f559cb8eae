import { describe, expect, it } from 'vitest';
import { docExamples } from '../../../src/repair/syntax/doc-examples.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

function examplesIn(text: string): unknown[] {
  const parsed = parseSource('a.js', text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return docExamples(parsed).map(({ name, args, result }) => [name, args, result]);
}

describe('docExamples', () => {
  it.each([
    ["/** @example\n * slug('A b') // => 'a-b'\n */", ['slug', "'A b'", "'a-b'"]],
    ['/**\n * >>> add(1, 2)\n * 3\n */', ['add', '1, 2', '3']],
    ['// sum([1, [2]]) === 3', ['sum', '[1, [2]]', '3']],
    ['/** min([], null) ➞ undefined */', ['min', '[], null', 'undefined']],
    ['// first({ a: 1 }) -> 1, the first value', ['first', '{ a: 1 }', '1']],
    ['/* `clamp(5, 1, 3)` returns 3. */', ['clamp', '5, 1, 3', '3']],
  ])('reads %s', (comment, example) => {
    expect(examplesIn(`${comment}\nconst a = 1;`)).toEqual([example]);
  });

  it.each([
    '// call slug(title) => a text',
    '// f(x) === 3',
    '// for (let i = 0; i < 3; i++)',
    '/** >>> add(1, 2) */',
    '// greet("Ada") => Hello',
  ])('skips %s', (comment) => {
    expect(examplesIn(`${comment}\nconst a = 1;`)).toEqual([]);
  });

  it('reads comments only', () => {
    expect(examplesIn("const text = 'add(1, 2) === 3';")).toEqual([]);
  });
});
