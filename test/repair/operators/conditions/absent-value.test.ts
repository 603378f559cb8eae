import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../../src/repair/operators/propose/candidates.ts';
import { crashesOf, type Use } from '../../../../src/repair/syntax/crashes.ts';
import { applyEdits } from '../../../../src/repair/syntax/edit.ts';
import type { Diagnostic } from '../../../../src/schema/generated.ts';

const proposed = (text: string, use: Use, line = 1, file = 'a.js'): string[] =>
  proposeCandidates({
    file,
    text,
    operators: new Set(['absent-value']),
    hints: { expected: [], received: [], literals: [], crashes: [{ file: 'a.js', line, use }] },
  }).map(({ edits }) => applyEdits(text, edits).replace(/\s+/g, ' ').trim());

const read = (property: string): Use => ({ kind: 'read', property });

describe('absent-value', () => {
  it.each<[text: string, use: Use, repaired: string]>([
    ['f(a.b);', read('b'), 'f(a?.b);'],
    ['f(a[0]);', read('0'), 'f(a?.[0]);'],
    ['if (a.b) c();', read('b'), 'if (a && a.b) c();'],
    ['if (a.b(1)) c();', read('b'), 'if (a && a.b(1)) c();'],
    ['const n = a.length;', read('length'), 'const n = (a ?? []).length;'],
    ['const n = a.trim();', read('trim'), "const n = (a ?? '').trim();"],
    ['a.b.c();', read('c'), 'if (a.b) a.b.c();'],
    ['function f(a) { return a.b; }', read('b'), 'function f(a = {}) { return a.b; }'],
    ['for (const a of list) { a.b(); }', read('b'), 'for (const a of list) { if (!a) continue; a.b(); }'],
    [
      'function f(a) { if (g) return null; return a.b; }',
      read('b'),
      'function f(a) { if (g) return null; if (!a) return null; return a.b; }',
    ],
    ['for (const a of list) f(a);', { kind: 'iterate' }, 'for (const a of list ?? []) f(a);'],
    ['f(...list);', { kind: 'iterate' }, 'f(...list ?? []);'],
    ['f(Object.keys(a));', { kind: 'list-keys' }, 'f(Object.keys(a ?? {}));'],
    [
      'function f({ a }) { return a; }',
      { kind: 'destructure', property: 'a' },
      'function f({ a } = {}) { return a; }',
    ],
  ])('%s', (text, use, repaired) => {
    expect(proposed(text, use)).toContain(repaired);
  });

  it('proposes nothing for another property, line or file', () => {
    expect(proposed('f(a.b);', read('c'))).toEqual([]);
    expect(proposed('f(a.b);', read('b'), 2)).toEqual([]);
    expect(proposed('f(a.b);', read('b'), 1, 'b.js')).toEqual([]);
  });

  it('does not repeat a call to look at its result', () => {
    expect(proposed('if (next().b) c();', read('b'))).toEqual([
      'if (next()?.b) c();',
      'if ((next() ?? {}).b) c();',
    ]);
  });

  it('does not make the target of an assignment optional', () => {
    expect(proposed('a.b = 1;', read('b'))).toEqual(['if (a) a.b = 1;']);
  });
});

describe('crashesOf', () => {
  const failure = (message: string): Diagnostic =>
    ({
      message,
      frames: [
        { file: 'src/a.js', line: 3 },
        { file: 'test/a.test.js', line: 9 },
      ],
    }) as Diagnostic;

  it('takes the innermost frame of each TypeError about a missing value, once', () => {
    const message = "TypeError: Cannot read properties of undefined (reading 'join')";
    expect(crashesOf([failure(message), failure(message), failure('expected 1 to be 2')])).toEqual([
      { file: 'src/a.js', line: 3, use: { kind: 'read', property: 'join' } },
    ]);
  });

  it.each<[message: string, use: Use]>([
    ['TypeError: list is not iterable', { kind: 'iterate' }],
    ['TypeError: Cannot convert undefined or null to object', { kind: 'list-keys' }],
    [
      "TypeError: Cannot destructure property 'a' of 'undefined' as it is undefined.",
      { kind: 'destructure', property: 'a' },
    ],
  ])('%s', (message, use) => {
    expect(crashesOf([failure(message)])).toMatchObject([{ use }]);
  });
});
