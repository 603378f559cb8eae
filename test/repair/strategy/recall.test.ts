import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/syntax/edit.ts';
import { favourFor, NO_FAVOUR } from '../../../src/repair/strategy/experience.ts';
import { recalled } from '../../../src/repair/strategy/recall.ts';
import type { Scored } from '../../../src/repair/strategy/queue.ts';

const TEST = 'test/a.test.ts';
const repair = (operator: string, edit: string) => ({
  ...{ operator, edit: `src/b.ts: ${edit} @00ff`, file_path: 'src/b.ts', test_file: 'test/b.test.ts' },
});

function scored(operator: string, edit: string, score: number): Scored {
  const candidate: Candidate = {
    ...{ operator, edits: [{ file: 'src/a.ts', start: 0, end: 1, replacement: 'x' }], line: 1, prior: score },
    signature: `src/a.ts: ${edit} @0a0b`,
  };
  return { candidate, score };
}

const operatorsOf = (candidates: readonly Candidate[]): string[] =>
  candidates.map(({ operator }) => operator);

describe('recalled', () => {
  const ranked = [
    scored('guard', '(nothing) → if (!x) return;', 0.9),
    scored('comparison', 'i < n → i > n', 0.5),
    scored('comparison', 'i < n → i <= n', 0.2),
    scored('other', 'k < m → k <= m', 0.1),
    scored('literal', '1 → 0', 0.05),
  ];

  it('is empty without experience', () => {
    expect(recalled(ranked, NO_FAVOUR)).toEqual([]);
    expect(recalled(ranked, favourFor(TEST, []))).toEqual([]);
  });

  it('has edits of the shape of a repair, whatever made them, and those by its operator', () => {
    const found = recalled(ranked, favourFor(TEST, [repair('comparison', 'low < top → low <= top')]));
    expect(found.map(({ signature }) => signature)).toEqual([
      'src/a.ts: i < n → i > n @0a0b',
      'src/a.ts: i < n → i <= n @0a0b',
      'src/a.ts: k < m → k <= m @0a0b',
    ]);
  });

  it('puts a shape that was seen often before likelier edits by the same operator', () => {
    const often = Array.from({ length: 4 }, () => repair('comparison', 'low < top → low <= top'));
    expect(recalled(ranked, favourFor(TEST, often))[0]!.signature).toBe('src/a.ts: i < n → i <= n @0a0b');
  });

  it('has nothing for repairs of other kinds, nor for one whose text was cut', () => {
    const cut = repair('never-here', `${'x'.repeat(119)}… → y`);
    expect(operatorsOf(recalled(ranked, favourFor(TEST, [repair('await', 'f() → await f()'), cut])))).toEqual(
      [],
    );
  });

  it('is at most thirty, the best ones', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      scored('comparison', `a < ${index} → a > ${index}`, index),
    );
    const found = recalled(many, favourFor(TEST, [repair('comparison', 'low < top → low <= top')]));
    expect(found).toHaveLength(30);
    expect(found[0]!.prior).toBe(99);
    expect(found.at(-1)!.prior).toBe(70);
  });
});
