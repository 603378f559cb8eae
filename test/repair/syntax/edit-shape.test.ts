import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../src/repair/syntax/edit-shape.ts';

const shape = (before: string, after: string, file = 'src/a.ts'): string | undefined =>
  shapeOf(`${file}: ${before} → ${after} @0123abcdef`);

describe('shapeOf', () => {
  it.each([
    ['i <= n', 'i < n', '<= → <'],
    ['low < values.length - size', 'low <= values.length - size', '< → <='],
    ['total = 1', 'total = 0', '1 → 0'],
    ['user = store.find(id)', 'user = await store.find(id)', ' → await'],
    ['user.address.city', 'user.address?.city', '. → ?.'],
    ['mix(front, back, share)', 'mix(back, front, share)', '#1 , #2 → #2 , #1'],
    ['Math.ceil(mean)', 'Math.floor(mean)', 'ceil → floor'],
    ['limit = 5000', 'limit = 60', '#1 → #2'],
    ["sep = ';'", "sep = ','", '#1 → #2'],
    ['(nothing)', 'if (list === undefined) return [];', ' → if ( #1 === undefined ) return [ ] ;'],
    ['x = y;', '(nothing)', '#1 = #2 ; → '],
    ['a && b', 'a || b', '&& → ||'],
    ['größe + 1', 'größe - 1', '+ → -'],
  ])('reduces %s → %s to %s', (before, after, expected) => {
    expect(shape(before, after)).toBe(expected);
  });

  it('is equal for the same kind of edit in different files, and different for another kind', () => {
    const one = shape('createBox(height, width)', 'createBox(width, height)');
    expect(shape('ratio(whole, part)', 'ratio(part, whole)', 'lib/b.js')).toBe(one);
    expect(shape('ratio(whole, part)', 'ratio(part, part)')).not.toBe(one);
    expect(shape('i < n', 'i <= n')).not.toBe(shape('i <= n', 'i < n'));
  });

  it('ignores a colon in the file name', () => {
    expect(shape('i <= n', 'i < n', 'src/a: b.ts')).toBe('<= → <');
  });

  it.each(['', 'no signature', 'src/a.ts: a → b', `src/a.ts: ${'x'.repeat(119)}… → y @0123`])(
    'is undefined for %j',
    (signature) => {
      expect(shapeOf(signature)).toBeUndefined();
    },
  );
});
