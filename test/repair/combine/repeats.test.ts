import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../src/repair/operators/propose/candidates.ts';
import { proposeRepeats } from '../../../src/repair/combine/repeats.ts';
import { applyEdits, type Candidate } from '../../../src/repair/syntax/edit.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

const SHAPES = `export function area(shape) {
  if (shape.kind === 'square') return shape.width * shape.width;
  if (shape.kind === 'flat') return 0;
  return shape.width * shape.height;
}

export function inside(point, box) {
  if (point.x > box.left && point.x > box.right) return true;
  return point.y > box.top;
}

export function outside(point, box) {
  return point.y > box.bottom;
}
`;

/** Operators whose singles the tests repeat. */
const OPERATORS = new Set([
  'comparison',
  'property',
  'number',
  'negate',
  'delete-statement',
  'append',
  'guard',
]);

const singlesOf = (text: string): Candidate[] =>
  proposeCandidates({ file: 'shapes.js', text, operators: OPERATORS });

function repeatsOf(text: string, limit?: number): Candidate[] {
  const candidates = singlesOf(text);
  return proposeRepeats({ file: 'shapes.js', text, candidates, limit });
}

const textsOf = (text: string, limit?: number): string[] =>
  repeatsOf(text, limit).map(({ edits }) => applyEdits(text, edits));

describe('proposeRepeats', () => {
  it('changes an operator everywhere in a statement, a function and the file', () => {
    const texts = textsOf(SHAPES);
    const [statement] = SHAPES.match(/if \(point.*/)!;
    const [before, inside] = [
      SHAPES.indexOf('export function inside'),
      SHAPES.indexOf('export function outside'),
    ];
    const lessIn = (from: number, to: number): string =>
      SHAPES.slice(0, from) + SHAPES.slice(from, to).replaceAll(' > ', ' < ') + SHAPES.slice(to);
    expect(texts).toContain(SHAPES.replace(statement, statement.replaceAll(' > ', ' < ')));
    expect(texts).toContain(lessIn(before, inside));
    expect(texts).toContain(lessIn(0, SHAPES.length));
  });

  it('changes a name at two of a few places', () => {
    const wanted = SHAPES.replace(
      "'square') return shape.width * shape.width",
      "'square') return shape.height * shape.height",
    );
    expect(textsOf(SHAPES)).toContain(wanted);
  });

  it('never mixes changes: places with equal text have equal text afterwards', () => {
    for (const { edits } of repeatsOf(SHAPES)) {
      const [first] = edits;
      const single = edits.every(({ start, end }) => end - start === first!.end - first!.start);
      if (!single) continue;
      const after = new Set(edits.map(({ replacement }) => replacement.replace(/\n\s*/g, '\n')));
      const before = new Set(edits.map(({ start, end }) => SHAPES.slice(start, end)));
      if (before.size === 1) expect(after.size).toBe(1);
    }
  });

  it('returns results that parse, without duplicates or results of a single edit', () => {
    const texts = textsOf(SHAPES);
    const singles = singlesOf(SHAPES).map(({ edits }) => applyEdits(SHAPES, edits));
    expect(texts.length).toBeGreaterThan(50);
    expect(new Set([...texts, ...singles]).size).toBe(texts.length + singles.length);
    const isSound = (text: string): boolean => {
      const parsed = parseSource('shapes.js', text);
      return !('problem' in parsed) && parsed.errors.length === 0;
    };
    expect(texts.filter((text) => !isSound(text))).toEqual([]);
  });

  it('states the number of places in a signature that does not change when lines move', () => {
    const signatures = (text: string): string[] => repeatsOf(text, 40).map(({ signature }) => signature);
    expect(
      signatures(SHAPES).every((signature) => /^shapes\.js: .+ → .+ @[0-9a-f]{10}$/.test(signature)),
    ).toBe(true);
    expect(signatures(`\n\n${SHAPES}`)).toEqual(signatures(SHAPES));
    const twice = 'export const f = (a) => [a[0], a[0]];\n';
    expect(repeatsOf(twice).some(({ signature }) => signature.includes('(2 places)'))).toBe(true);
  });

  it('proposes nothing if every change has one place', () => {
    expect(textsOf('export const less = (a, b) => a < b;\n')).toEqual([]);
    expect(textsOf('export const less = (a, b) => a < b === b < a;\n')).not.toEqual([]);
  });

  it('respects the regions, the limit and excluded signatures', () => {
    const candidates = singlesOf(SHAPES);
    const request = { file: 'shapes.js', text: SHAPES, candidates };
    const end = SHAPES.indexOf('export function inside');
    const near = proposeRepeats({ ...request, regions: [{ start: 0, end, weight: 0.5 }] });
    expect(near.length).toBeGreaterThan(5);
    expect(near.every(({ edits }) => edits.every((edit) => edit.start < end))).toBe(true);
    const all = proposeRepeats(request);
    expect(proposeRepeats({ ...request, limit: 7 })).toEqual(all.slice(0, 7));
    const exclude = new Set(all.slice(0, 3).map(({ signature }) => signature));
    expect(proposeRepeats({ ...request, exclude }).slice(0, all.length - 3)).toEqual(all.slice(3));
  });
});
