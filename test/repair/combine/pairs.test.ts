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

const NO_EVIDENCE = { weight: 1, fixed: 0, broken: 0, moved: false, reached: true };

function observed(
  candidates: readonly Candidate[],
  observe: (candidate: Candidate) => Partial<Observation> = () => ({}),
) {
  return candidates.map((candidate) => ({ candidate, ...NO_EVIDENCE, ...observe(candidate) }));
}

function singlesOf(text: string, file = 'sum.js', limit = 300): Candidate[] {
  return proposeCandidates({ file, text, limit });
}

/** The single edit that replaces `before` by `after`. */
function single(text: string, before: string, after: string): Candidate {
  const wanted = text.replace(before, () => after);
  const found = singlesOf(text, 'sum.js', 20_000).find(({ edits }) => applyEdits(text, edits) === wanted);
  if (found === undefined) throw new Error(`no single edit replaces ${before} by ${after}`);
  return found;
}

function textsOf(text: string, pairs: Iterable<Candidate>): string[] {
  return Array.from(pairs, ({ edits }) => applyEdits(text, edits));
}

describe('proposePairs', () => {
  it.each([
    ['sum.js', SUM],
    ['process.ts', readFileSync(join(SOURCES, 'platform/processes/process.ts'), 'utf8')],
  ])('proposes pairs for %s that parse, without duplicates or results of a single edit', (file, text) => {
    const tried = observed(singlesOf(text, file, 250));
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

  it('returns sorted edits that do not overlap, with unique signatures of at most 500 characters', () => {
    const pairs = [
      ...proposePairs({ file: 'sum.js', text: SUM, tried: observed(singlesOf(SUM)), limit: 500 }),
    ];
    for (const { edits } of pairs) {
      expect(edits.slice(1).every((edit, index) => edit.start >= edits[index]!.end)).toBe(true);
    }
    expect(new Set(pairs.map(({ signature }) => signature)).size).toBe(pairs.length);
    expect(pairs.every(({ signature }) => /^sum\.js: .+ → .+ @[0-9a-f]{10}$/.test(signature))).toBe(true);
    expect(pairs.every(({ signature }) => signature.length <= 500)).toBe(true);
    expect(pairs.every(({ prior }) => prior > 0 && prior <= 1)).toBe(true);
  });

  it('puts edits that fix different tests first, regardless of their places', () => {
    const [a, b] = [
      single(SUM, 'total -= list', 'total += list'),
      single(SUM, 'list[list.length]', 'list[list.length - 1]'),
    ];
    const tests = new Map([
      [a, ['sums']],
      [b, ['takes the last']],
    ]);
    const tried = observed([...singlesOf(SUM), a, b], (candidate) => {
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
        tried: observed(tried.map(({ candidate }) => candidate)),
        limit: 50,
      }),
    );
    expect(blind).not.toContain(wanted);
  });

  it('pairs an edit that fixes one test and breaks another earlier than one without evidence', () => {
    const [half, other] = [
      single(SUM, 'total -= list', 'total += list'),
      single(SUM, 'total = 1', 'total = 0'),
    ];
    const singles = [...singlesOf(SUM), half, other];
    const wanted = applyEdits(applyEdits(SUM, half.edits), other.edits);
    const at = (evidence: Partial<Observation>): number => {
      const tried = observed(singles, (candidate) =>
        candidate.signature === half.signature ? evidence : {},
      );
      return textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried })).indexOf(wanted);
    };
    const [withEvidence, without] = [at({ fixed: 1, broken: 1 }), at({})];
    expect(withEvidence).toBeGreaterThanOrEqual(0);
    expect(withEvidence).toBeLessThan(without / 2);
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
      ...NO_EVIDENCE,
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
    ['first if the condition moved a failure', true],
    ['later if it did not', false],
  ])('puts a condition with code that did not run %s', (_, moved) => {
    const [condition, unreached, stranger] = [
      single(SUM, 'list[i] > 0', 'list[i] >= 0'),
      single(SUM, 'total -=', 'total +='),
      single(SUM, 'list.length]', 'list.length - 1]'),
    ].map((candidate) => ({ ...candidate, prior: 0.5 }));
    const tried = [
      { ...NO_EVIDENCE, candidate: condition!, moved },
      { ...NO_EVIDENCE, candidate: unreached!, reached: false },
      { ...NO_EVIDENCE, candidate: stranger! },
    ];
    const wanted = applyEdits(applyEdits(SUM, unreached!.edits), condition!.edits);
    const texts = textsOf(SUM, proposePairs({ file: 'sum.js', text: SUM, tried }));
    expect(texts.indexOf(wanted)).toBe(moved ? 0 : 1);
  });

  it('never pairs two edits of the same place', () => {
    const text = 'export const add = (a, b) => a - b;\n';
    const singles = singlesOf(text).filter(({ operator }) => operator === 'arithmetic');
    expect(singles.length).toBeGreaterThan(2);
    expect([...proposePairs({ file: 'add.js', text, tried: observed(singles) })]).toEqual([]);
  });

  it('leaves out pairs that do not parse although each half does', () => {
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
    expect([...proposePairs({ file: 'f.js', text, tried: observed(declared) })]).toEqual([]);
    const called = declared.map((candidate) => ({
      ...candidate,
      edits: candidate.edits.map((edit) => ({ ...edit, replacement: '\n  g(1);' })),
    }));
    expect([...proposePairs({ file: 'f.js', text, tried: observed(called) })]).toHaveLength(1);
  });

  it('keeps its signatures when lines move, and proposes no excluded pair', () => {
    const signatures = (text: string, exclude?: ReadonlySet<string>): string[] => {
      const tried = observed(singlesOf(text));
      return Array.from(
        proposePairs({ file: 'sum.js', text, tried, limit: 50, exclude }),
        ({ signature }) => signature,
      );
    };
    const all = signatures(SUM);
    expect(signatures(`// one line more\n\n${SUM}`)).toEqual(all);
    expect(signatures(SUM, new Set(all)).filter((signature) => all.includes(signature))).toEqual([]);
  });

  it('returns other signatures after a change of the edited statement', () => {
    const text = 'export function f(a, b) {\n  const c = a - b;\n  return c * a;\n}\n';
    const inFirst = (source: string): string[] => {
      const singles = singlesOf(source).filter(({ operator }) =>
        /^(arithmetic|swap-operands)$/.test(operator),
      );
      return Array.from(proposePairs({ file: 'sum.js', text: source, tried: observed(singles) }))
        .filter(({ edits }) => edits[0]!.start < source.indexOf('return'))
        .map(({ signature }) => signature);
    };
    const before = inFirst(text);
    const after = new Set(inFirst(text.replace('a - b', 'a - b - 1')));
    expect(before.length).toBeGreaterThan(5);
    expect(after.size).toBeGreaterThan(5);
    expect(before.filter((signature) => after.has(signature))).toEqual([]);
  });

  it('returns the same list for the same request, and nothing for a file that does not parse', () => {
    const request = { file: 'sum.js', text: SUM, tried: observed(singlesOf(SUM)), limit: 200 };
    expect([...proposePairs(request)]).toEqual([...proposePairs(request)]);
    expect([...proposePairs({ ...request, text: 'const = ' })]).toEqual([]);
    expect([...proposePairs({ ...request, file: 'other.js' })]).toEqual([]);
  });
});
