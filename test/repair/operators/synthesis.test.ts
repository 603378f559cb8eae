import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../src/repair/operators/propose/candidates.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { type Hints, NO_HINTS } from '../../../src/repair/syntax/literals.ts';
import { SYNTHESIS_REPAIRS } from './synthesis-repairs.ts';

const proposed = (operator: string, text: string, hints: Partial<Hints> = {}): string[] =>
  proposeCandidates({
    file: 'a.js',
    text,
    operators: new Set([operator]),
    hints: { ...NO_HINTS, ...hints },
  }).map(({ edits }) => squeezed(applyEdits(text, edits)));

/** Without line breaks and runs of whitespace. */
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('operators that add missing logic', () => {
  it.each(SYNTHESIS_REPAIRS)('$operator proposes $before → $after', ({ operator, before, after, hints }) => {
    expect(proposed(operator, before, hints)).toContain(after);
  });

  it.each(SYNTHESIS_REPAIRS)('$operator makes fewer than 500 proposals for $before', (repair) => {
    expect(proposed(repair.operator, repair.before, repair.hints).length).toBeLessThan(500);
  });
});

describe('operators that add missing logic do not', () => {
  it('ask again whether a value is null', () => {
    for (const known of ['a && ', 'a !== null && ', '!a || ', 'a == undefined || '])
      expect(proposed('object-or-null', `if (${known}typeof a === 'object') g();`)).toEqual([]);
    expect(proposed('object-or-null', "if (typeof f() === 'object') g();")).toEqual([]);
    expect(proposed('object-or-null', "if (typeof a === 'string') g();")).toEqual([]);
  });

  it('add a condition that is present already', () => {
    const changed = proposed('extra-check', 'function f(a, b) { if (a && a.c) g(); }');
    expect(changed).toContain('function f(a, b) { if (b && a && a.c) g(); }');
    expect(changed).not.toContain('function f(a, b) { if (a && a && a.c) g(); }');
  });

  it('add a condition to a value that is no boolean', () => {
    expect(proposed('extra-check', 'function f(a, b) { return a + b; }')).toEqual([]);
  });

  it('copy branches whose names are not visible', () => {
    const text = 'function f(o) { const limit = 1; if (o > limit) return null; } function g(o) { return 2; }';
    expect(proposed('copy-branch', text)).toEqual([]);
  });

  it('copy a continue to a place outside of loops', () => {
    const text = 'function f(l) { for (const a of l) { if (!l) continue; } } function g(l) { return l; }';
    expect(proposed('copy-branch', text)).toEqual([]);
  });

  it('return a value from a constructor or a generator', () => {
    expect(proposed('early-exit', 'class A { constructor(a) { this.a = a; } }')).toEqual([]);
    expect(proposed('early-exit', 'function* f(a) { yield a; }')).toEqual([]);
  });

  it('invent strings if the tests contain none', () => {
    const text = "function f(s) { if (s === 'a') g(); }";
    expect(proposed('alternative', text).join()).not.toMatch(/'b'/);
    expect(proposed('extra-check', text).join()).not.toMatch(/includes/);
    expect(proposed('expected-text', text)).toEqual([]);
  });

  it('write invalid patterns', () => {
    for (const changed of proposed('regex-parts', 'let a = /^(?:[a-c]x{2}|\\d+?)$/u;', {
      near: ['(', '\\'],
    })) {
      expect(() => new Function(changed)).not.toThrow();
    }
  });

  it('put letters of other languages or halves of emoji into patterns and texts', () => {
    const near = ['é', '日', '😀', 'a-b'];
    const cases = { failing: near, others: [], marks: [], lines: [] };
    const all = proposed('regex-parts', 'let a = /^[a-z]+$/;', { near, cases });
    expect(all.join('')).toContain('[a-z\\-]');
    expect(all.join('')).not.toMatch(/[é日\ud800-\udfff]/);
  });

  it('replace a body that is not empty', () => {
    expect(proposed('empty-body', 'const h = { a(n) { return n; }, b(m) { return 1; } };')).toEqual([]);
  });
});
