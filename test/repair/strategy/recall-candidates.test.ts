import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/syntax/edit.ts';
import { factorsFrom, NO_FACTORS } from '../../../src/repair/strategy/experience.ts';
import { recallCandidates, takeTurns } from '../../../src/repair/strategy/recall-candidates.ts';
import type { RankedCandidate } from '../../../src/repair/strategy/propose.ts';

const TEST = 'test/a.test.ts';
const repair = (operator: string, edit: string) => ({
  operator,
  edit: `src/b.ts: ${edit} @00ff`,
  file_path: 'src/b.ts',
  test_file: 'test/b.test.ts',
});

function ranking(operator: string, edit: string, score: number): RankedCandidate {
  const candidate: Candidate = {
    operator,
    edits: [{ file: 'src/a.ts', start: 0, end: 1, replacement: 'x' }],
    line: 1,
    prior: score,
    signature: `src/a.ts: ${edit} @0a0b`,
  };
  return { candidate, score, order: score };
}

const operatorsOf = (candidates: readonly Candidate[]): string[] =>
  candidates.map(({ operator }) => operator);

describe('recallCandidates', () => {
  const ranked = [
    ranking('guard', '(nothing) → if (!x) return;', 0.9),
    ranking('comparison', 'i < n → i > n', 0.5),
    ranking('comparison', 'i < n → i <= n', 0.2),
    ranking('other', 'k < m → k <= m', 0.1),
    ranking('literal', '1 → 0', 0.05),
  ];

  it('recalls nothing without experience', () => {
    expect(recallCandidates(ranked, NO_FACTORS)).toEqual([]);
    expect(recallCandidates(ranked, factorsFrom(TEST, []))).toEqual([]);
  });

  it('recalls edits of the same shape by any operator, and edits by the same operator', () => {
    const found = recallCandidates(
      ranked,
      factorsFrom(TEST, [repair('comparison', 'low < top → low <= top')]),
    );
    expect(found.map(({ signature }) => signature)).toEqual([
      'src/a.ts: i < n → i > n @0a0b',
      'src/a.ts: i < n → i <= n @0a0b',
      'src/a.ts: k < m → k <= m @0a0b',
    ]);
  });

  it('puts a frequent shape before more promising edits by the same operator', () => {
    const often = Array.from({ length: 4 }, () => repair('comparison', 'low < top → low <= top'));
    expect(recallCandidates(ranked, factorsFrom(TEST, often))[0]!.signature).toBe(
      'src/a.ts: i < n → i <= n @0a0b',
    );
  });

  it('recalls nothing for repairs of other kinds or with a shortened signature', () => {
    const cut = repair('never-here', `${'x'.repeat(119)}… → y`);
    expect(
      operatorsOf(recallCandidates(ranked, factorsFrom(TEST, [repair('await', 'f() → await f()'), cut]))),
    ).toEqual([]);
  });

  it('recalls at most the 30 best', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      ranking('comparison', `a < ${index} → a > ${index}`, index),
    );
    const found = recallCandidates(many, factorsFrom(TEST, [repair('comparison', 'low < top → low <= top')]));
    expect(found).toHaveLength(30);
    expect(found[0]!.prior).toBe(99);
    expect(found.at(-1)!.prior).toBe(70);
  });
});

describe('takeTurns', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ranking('comparison', `${name} → x`, 1).candidate);
  const namesOf = (order: readonly Candidate[]): string =>
    order.map(({ signature }) => /: (\w) /.exec(signature)![1]).join('');

  it('lets recalled candidates take turns with the others, each once', () => {
    const { order, head } = takeTurns(all, [all[4]!, all[1]!]);
    expect([namesOf(order), head]).toEqual(['eabcdf', 4]);
  });

  it('delays no candidate to more than twice its place', () => {
    for (let first = 0; first < all.length; first++) {
      const { order } = takeTurns(all, all.slice(first));
      for (const [index, candidate] of all.entries())
        expect(order.indexOf(candidate) + 1).toBeLessThanOrEqual(2 * (index + 1));
    }
  });

  it('changes nothing without recalled candidates', () => {
    expect(takeTurns(all, [])).toEqual({ order: all, head: 0 });
  });
});
