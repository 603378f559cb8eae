import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../src/repair/operators/propose/candidates.ts';
import type { Observation } from '../../../src/repair/combine/evidence.ts';
import { proposePairs } from '../../../src/repair/combine/pairs.ts';
import { applyEdits, type Candidate } from '../../../src/repair/syntax/edit.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

const SOURCES = join(import.meta.dirname, '../../../src');

const SUM = `export function sum(list) {
  let total = 1;
  for (let i = 1; i <= list.length; i++) {
    if (list[i] > 0) {
      total -= list[i];
    }
  }
  return total;
}

export function last(list) {
  return list[list.length];
}
`;

const NOTHING_SEEN = { weight: 1, fixed: 0, broken: 0, moved: false, reached: true };

function seen(
  candidates: readonly Candidate[],
  what: (candidate: Candidate) => Partial<Observation> = () => ({}),
) {
  return candidates.map((candidate) => ({ candidate, ...NOTHING_SEEN, ...what(candidate) }));
}

function singlesOf(text: string, file = 'sum.js', limit = 300): Candidate[] {
  return proposeCandidates({ file, text, limit });
}

/** The single whose edit makes this of the text. */
function single(text: string, before: string, after: string): Candidate {
  const wanted = text.replace(before, () => after);
  const found = singlesOf(text, 'sum.js', 20_000).find(({ edits }) => applyEdits(text, edits) === wanted);
  if (found === undefined) throw new Error(`no single edit makes ${after} of ${before}`);
  return found;
}

function textsOf(text: string, pairs: Iterable<Candidate>): string[] {
  return Array.from(pairs, ({ edits }) => applyEdits(text, edits));
}

describe('proposePairs', () => {
  it.each([
    ['sum.js', SUM],
    ['process.ts', readFileSync(join(SOURCES, 'util', 'process.ts'), 'utf8')],
  ])('gives texts of %s that all parse, none of them twice and none that one edit makes', (file, text) => {
    const tried = seen(singlesOf(text, file, 250));
    const texts = textsOf(text, proposePairs({ file, text, tried, limit: 400 }));
    expect(texts).toHaveLength(400);
    expect(new Set(texts).size).toBe(texts.length);
    const errors = (changed: string): number => {
      const parsed = parseSource(file, changed);
      return 'problem' in parsed ? Infinity : parsed.errors.length;
    };
    expect(texts.filter((changed) => errors(changed) > errors(text))).toEqual([]);
    const singles = new Set(tried.map(({ candidate }) => applyEdits(text, candidate.edits)));
    expect(texts.filter((changed) => singles.has(changed) || changed === text)).toEqual([]);
  });

  it('gives sorted edits that do not overlap, and signatures that are unique and at most 500 characters', () => {
    const pairs = [...proposePairs({ file: 'sum.js', text: SUM, tried: seen(singlesOf(SUM)), limit: 500 })];
    for (const { edits } of pairs) {
      expect(edits.slice(1).every((edit, index) => edit.start >= edits[index]!.end)).toBe(true);
    }
    expect(new Set(pairs.map(({ signature }) => signature)).size).toBe(pairs.length);
    expect(pairs.every(({ signature }) => /^sum\.js: .+ → .+ @[0-9a-f]{10}$/.test(signature))).toBe(true);
    expect(pairs.every(({ signature }) => signature.length <= 500)).toBe(true);
    expect(pairs.every(({ prior }) => prior > 0 && prior <= 1)).toBe(true);
  });

  it('puts edits that fix different tests first, wherever they stand', () => {
    const [a, b] = [
      single(SUM, 'total -= list', 'total += list'),
      single(SUM, 'list[list.length]', 'list[list.length - 1]'),
    ];
    const tests = new Map([
      [a, ['sums']],
      [b, ['takes the last']],
    ]);
    const tried = seen([...singlesOf(SUM), a, b], (candidate) => {
      const fixedTests = tests.get(candidate);
      return fixedTests === undefined ? {} : { fixed: 1, fixedTests };
    });
    const wanted = applyEdits(applyEdits(SUM, b.edits), a.edits);
    const [first] = textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried, limit: 1 }));
    expect(first).toBe(wanted);
    const blind = textsOf(
      SUM,
      proposePairs({
        file: 'sum.js',
        text: SUM,
        tried: seen(tried.map(({ candidate }) => candidate)),
        limit: 50,
      }),
    );
    expect(blind).not.toContain(wanted);
  });

  it('finds the other half of an edit that fixes and breaks earlier than without what its trial told', () => {
    const [half, other] = [
      single(SUM, 'total -= list', 'total += list'),
      single(SUM, 'total = 1', 'total = 0'),
    ];
    const singles = [...singlesOf(SUM), half, other];
    const wanted = applyEdits(applyEdits(SUM, half.edits), other.edits);
    const at = (what: Partial<Observation>): number => {
      const tried = seen(singles, (candidate) => (candidate.signature === half.signature ? what : {}));
      return textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried })).indexOf(wanted);
    };
    const [told, untold] = [at({ fixed: 1, broken: 1 }), at({})];
    expect(told).toBeGreaterThanOrEqual(0);
    expect(told).toBeLessThan(untold / 2);
  });

  it.each([
    [
      'the start and the test of a loop',
      ['let i = 1', 'let i = 0'],
      ['i <= list', 'i < list'],
      ['list.length]', 'list.length - 1]'],
    ],
    [
      'a condition and what it guards',
      ['list[i] > 0', 'list[i] >= 0'],
      ['total -=', 'total +='],
      ['list.length]', 'list.length - 1]'],
    ],
    [
      'two edits that moved a failure',
      ['let total = 1', 'let total = 0'],
      ['i <= list', 'i < list'],
      ['return total;', 'return -total;'],
    ],
  ])('prefers %s to an edit further away', (relation, first, second, stranger) => {
    const [a, b, c] = [first, second, stranger].map(([before, after]) => single(SUM, before!, after!));
    const moved = relation.includes('moved');
    const tried = [a!, b!, c!].map((candidate) => ({
      ...NOTHING_SEEN,
      moved: moved && candidate !== c,
      candidate: { ...candidate, prior: 0.5 },
    }));
    const texts = textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried }));
    const together = (one: Candidate, other: Candidate): string => {
      const [early, late] = one.edits[0]!.start < other.edits[0]!.start ? [one, other] : [other, one];
      return applyEdits(applyEdits(SUM, late.edits), early.edits);
    };
    expect(texts).toHaveLength(3);
    expect(texts[0]).toBe(together(a!, b!));
  });

  it.each([
    ['first where the condition moved a failure', true],
    ['later where it did not', false],
  ])('puts a condition and code that did not run %s', (_, moved) => {
    const [condition, asleep, stranger] = [
      single(SUM, 'list[i] > 0', 'list[i] >= 0'),
      single(SUM, 'total -=', 'total +='),
      single(SUM, 'list.length]', 'list.length - 1]'),
    ].map((candidate) => ({ ...candidate, prior: 0.5 }));
    const tried = [
      { ...NOTHING_SEEN, candidate: condition!, moved },
      { ...NOTHING_SEEN, candidate: asleep!, reached: false },
      { ...NOTHING_SEEN, candidate: stranger! },
    ];
    const wanted = applyEdits(applyEdits(SUM, asleep!.edits), condition!.edits);
    const texts = textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried }));
    expect(texts.indexOf(wanted)).toBe(moved ? 0 : 1);
  });

  it('never puts two edits of the same place together', () => {
    const text = 'export const add = (a, b) => a - b;\n';
    const singles = singlesOf(text).filter(({ operator }) => operator === 'arithmetic');
    expect(singles.length).toBeGreaterThan(2);
    expect([...proposePairs({ file: 'add.js', text, tried: seen(singles) })]).toEqual([]);
  });

  it('leaves out pairs that do not parse though each half does', () => {
    const text = 'export function f(a) {\n  g(a);\n  h(a);\n  return a;\n}\n';
    const insert = (after: string, signature: string): Candidate => {
      const start = text.indexOf(after) + after.length;
      return {
        edits: [{ file: 'f.js', start, end: start, replacement: '\n  const x = 1;' }],
        operator: 'test',
        line: 1,
        signature: `f.js: ${signature} @0123456789`,
        prior: 0.5,
      };
    };
    const declared = [insert('g(a);', '(nothing) → 1'), insert('h(a);', '(nothing) → 2')];
    expect([...proposePairs({ file: 'f.js', text, tried: seen(declared) })]).toEqual([]);
    const called = declared.map((candidate) => ({
      ...candidate,
      edits: candidate.edits.map((edit) => ({ ...edit, replacement: '\n  g(1);' })),
    }));
    expect([...proposePairs({ file: 'f.js', text, tried: seen(called) })]).toHaveLength(1);
  });

  it('keeps its signatures when lines move, and proposes nothing that is excluded', () => {
    const signatures = (text: string, exclude?: ReadonlySet<string>): string[] => {
      const tried = seen(singlesOf(text));
      return Array.from(
        proposePairs({ file: 'sum.js', text, tried, limit: 50, exclude }),
        ({ signature }) => signature,
      );
    };
    const all = signatures(SUM);
    expect(signatures(`// one line more\n\n${SUM}`)).toEqual(all);
    expect(signatures(SUM, new Set(all)).filter((signature) => all.includes(signature))).toEqual([]);
  });

  it('gives other signatures where an edited statement has changed', () => {
    const text = 'export function f(a, b) {\n  const c = a - b;\n  return c * a;\n}\n';
    const inFirst = (source: string): string[] => {
      const singles = singlesOf(source).filter(({ operator }) =>
        /^(arithmetic|swap-operands)$/.test(operator),
      );
      return Array.from(proposePairs({ file: 'sum.js', text: source, tried: seen(singles) }))
        .filter(({ edits }) => edits[0]!.start < source.indexOf('return'))
        .map(({ signature }) => signature);
    };
    const before = inFirst(text);
    const after = new Set(inFirst(text.replace('a - b', 'a - b - 1')));
    expect(before.length).toBeGreaterThan(5);
    expect(after.size).toBeGreaterThan(5);
    expect(before.filter((signature) => after.has(signature))).toEqual([]);
  });

  it('gives the same list for the same request, and nothing for a file that does not parse', () => {
    const request = { file: 'sum.js', text: SUM, tried: seen(singlesOf(SUM)), limit: 200 };
    expect([...proposePairs(request)]).toEqual([...proposePairs(request)]);
    expect([...proposePairs({ ...request, text: 'const = ' })]).toEqual([]);
    expect([...proposePairs({ ...request, file: 'other.js' })]).toEqual([]);
  });
});
