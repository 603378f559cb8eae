import { describe, expect, it } from 'vitest';
import { ideaCandidates } from '../../../../src/repair/operators/propose/ideas.ts';
import { applyEdits } from '../../../../src/repair/syntax/edit.ts';

const TEXT = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`;

function candidates(...pairs: readonly (readonly [before: string, after: string])[]) {
  const ideas = pairs.map(([before, after]) => ({ file: 'src/cart.js', before, after }));
  return ideaCandidates({ file: 'src/cart.js', text: TEXT, ideas });
}

describe('edits that a model proposed', () => {
  it('become candidates without the text that both sides share', () => {
    const [candidate] = candidates(['sum += item.price;', 'sum += item.price * item.quantity;']);
    expect(candidate).toMatchObject({ operator: 'model', line: 3, prior: 1 });
    expect(candidate!.edits).toHaveLength(1);
    expect(candidate!.edits[0]!.replacement).toBe(' * item.quantity');
    expect(candidate!.signature).toMatch(/^src\/cart\.js: .*→.*item\.quantity.* @[0-9a-f]+$/);
    expect(applyEdits(TEXT, candidate!.edits)).toContain('sum += item.price * item.quantity;');
  });

  it('keep their own layout', () => {
    const loop = '  for (const item of items) sum += item.price;\n';
    const guarded = loop
      .replace('sum +=', '{\n    if (item.isFree) continue;\n    sum +=')
      .replace(';\n', ';\n  }\n');
    const wanted = TEXT.replace(loop, () => guarded);
    const [candidate] = candidates([loop, guarded]);
    expect(applyEdits(TEXT, candidate!.edits)).toBe(wanted);
  });

  it('may span several lines, and keep their order', () => {
    const found = candidates(
      ['let sum = 0;\n  for (const item of items)', 'let sum = 1;\n  for (const item of [])'],
      ['return sum;', 'return -sum;'],
    );
    expect(found.map(({ line }) => line)).toEqual([2, 4]);
    expect(found[0]!.prior).toBeGreaterThan(found[1]!.prior);
  });

  it.each([
    ['is not in the file', 'item.cost', 'item.price'],
    ['occurs twice', 'sum', 'total'],
    ['stays as it is', 'item.price', 'item.price'],
    ['would not parse', 'return sum;', 'return (sum;'],
  ])('are left out if the text %s', (_why, before, after) => {
    expect(candidates([before, after])).toEqual([]);
  });

  it('are left out in files that are not searched', () => {
    const ideas = [{ file: 'data.json', before: '1', after: '2' }];
    expect(ideaCandidates({ file: 'data.json', text: '{"a": 1}', ideas })).toEqual([]);
  });
});
