import { describe, expect, it } from 'vitest';
import { lostCopies } from '../../../src/proof/strength/lost-copies.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { changedLines } from '../../support/changed-lines.ts';

/** The changed lines with each lost copy put back. */
function copiesOf(before: string, after: string): string[] {
  const [head, tail] = ['class Q { m(a) {\n', '} }\n'];
  return lostCopies(changedLines({ before, after, head, tail })).map(({ source, candidate }) =>
    applyEdits(source.parsed.text, candidate.edits).slice(head.length, -tail.length).trim(),
  );
}

describe('lostCopies', () => {
  it.each([
    [
      'a spread',
      'return [...this.items].sort();',
      'return this.items.sort(by);',
      'return [...this.items].sort(by);',
    ],
    ['slice', 'return a.slice().reverse();', 'return a.reverse(1);', 'return a.slice().reverse(1);'],
    ['Array.from', 'return Array.from(a).sort();', 'return a.sort(by);', 'return Array.from(a).sort(by);'],
    [
      'an object',
      'return { ...a, b: 1 };',
      'return Object.assign(a, { b: 2 });',
      'return Object.assign({ ...a }, { b: 2 });',
    ],
  ])('finds what is altered in place of a copy by %s', (_, before, after, again) => {
    expect(copiesOf(before, after)).toEqual([again]);
  });

  it.each([
    ['a copy that stays', 'return [...a].sort();', 'return [...a].sort(by);'],
    ['a method that copies itself', 'return [...a].sort();', 'return a.toSorted(by);'],
    ['a copy that is made before', 'return [...a].sort();', 'const b = [...a];\nb.sort(by);\nreturn b;'],
    ['what was altered in place before', 'return a.sort();', 'return a.sort(by);'],
    ['a list that is only read', 'return [...a].map(f);', 'return a.map(g);'],
  ])('leaves out %s', (_, before, after) => {
    expect(copiesOf(before, after)).toEqual([]);
  });
});
