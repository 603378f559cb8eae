import { describe, expect, it } from 'vitest';
import { factorsFrom } from '../../../src/repair/strategy/experience.ts';
import type { AcceptedEdit } from '../../../src/schema/generated.ts';

function edit(operator: string, file: string, test: string): AcceptedEdit {
  return { operator, edit: `${file}: a → b @0`, file_path: file, test_file: test };
}

describe('factorsFrom', () => {
  it('returns no factors without experience', () => {
    const { files, operators } = factorsFrom('test/a.test.ts', []);
    expect([...operators, ...files]).toEqual([]);
  });

  it('returns larger factors for operators and files with more repairs, below 2 and 1.5', () => {
    const once = factorsFrom('test/a.test.ts', [edit('regex', 'src/a.ts', 'test/a.test.ts')]);
    const often = factorsFrom('test/a.test.ts', Array(50).fill(edit('regex', 'src/a.ts', 'test/a.test.ts')));
    expect(once.operators.get('regex')).toBeGreaterThan(1);
    expect(often.operators.get('regex')).toBeGreaterThan(once.operators.get('regex')!);
    expect(often.operators.get('regex')).toBeLessThan(2);
    expect(often.files.get('src/a.ts')).toBeLessThan(1.5);
  });

  it('takes files only from repairs of the same test file, and weighs operators of others less', () => {
    const here = [edit('guard', 'src/a.ts', 'test/a.test.ts')];
    const there = [edit('guard', 'src/b.ts', 'test/b.test.ts')];
    expect(factorsFrom('test/a.test.ts', there).files.size).toBe(0);
    expect(factorsFrom('test/a.test.ts', there).operators.get('guard')).toBeLessThan(
      factorsFrom('test/a.test.ts', here).operators.get('guard')!,
    );
  });

  it('takes shapes from repairs of any test file, with the largest factor', () => {
    const swap = {
      ...edit('swap-arguments', 'src/b.ts', 'test/b.test.ts'),
      edit: 'src/b.ts: f(a, b) → f(b, a) @0',
    };
    const { shapes, operators } = factorsFrom('test/a.test.ts', [swap, swap]);
    const [[shape, factor]] = [...shapes] as [[string, number]];
    expect(shape).toBe('#1 , #2 → #2 , #1');
    expect(factor).toBeGreaterThan(operators.get('swap-arguments')!);
    expect(factorsFrom('test/a.test.ts', Array(500).fill(swap)).shapes.get(shape)).toBeLessThan(9);
  });
});
