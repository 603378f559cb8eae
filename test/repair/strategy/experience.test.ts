import { describe, expect, it } from 'vitest';
import { favourFor } from '../../../src/repair/strategy/experience.ts';
import type { AcceptedEdit } from '../../../src/schema/generated.ts';

function edit(operator: string, file: string, test: string): AcceptedEdit {
  return { operator, edit: `${file}: a → b @0`, file_path: file, test_file: test };
}

describe('favourFor', () => {
  it('favours nothing without experience', () => {
    const { files, operators } = favourFor('test/a.test.ts', []);
    expect([...operators, ...files]).toEqual([]);
  });

  it('favours the operators that fixed most, more the more they fixed, and never by more than twice', () => {
    const once = favourFor('test/a.test.ts', [edit('regex', 'src/a.ts', 'test/a.test.ts')]);
    const often = favourFor('test/a.test.ts', Array(50).fill(edit('regex', 'src/a.ts', 'test/a.test.ts')));
    expect(once.operators.get('regex')).toBeGreaterThan(1);
    expect(often.operators.get('regex')).toBeGreaterThan(once.operators.get('regex')!);
    expect(often.operators.get('regex')).toBeLessThan(2);
    expect(often.files.get('src/a.ts')).toBeLessThan(1.5);
  });

  it('learns places from the same test file alone, and operators from others less', () => {
    const here = [edit('guard', 'src/a.ts', 'test/a.test.ts')];
    const there = [edit('guard', 'src/b.ts', 'test/b.test.ts')];
    expect(favourFor('test/a.test.ts', there).files.size).toBe(0);
    expect(favourFor('test/a.test.ts', there).operators.get('guard')).toBeLessThan(
      favourFor('test/a.test.ts', here).operators.get('guard')!,
    );
  });

  it('learns the shapes of edits from anywhere, and trusts them most', () => {
    const swap = {
      ...edit('swap-arguments', 'src/b.ts', 'test/b.test.ts'),
      edit: 'src/b.ts: f(a, b) → f(b, a) @0',
    };
    const { shapes, operators } = favourFor('test/a.test.ts', [swap, swap]);
    const [[shape, factor]] = [...shapes] as [[string, number]];
    expect(shape).toBe('#1 , #2 → #2 , #1');
    expect(factor).toBeGreaterThan(operators.get('swap-arguments')!);
    expect(favourFor('test/a.test.ts', Array(500).fill(swap)).shapes.get(shape)).toBeLessThan(9);
  });
});
