import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isActing } from '../../../src/ci/rules/reaches.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { addedParts } from '../../../src/proof/strength/added-parts.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** The parts of lines that are added to a function, in place of `a = c;`. */
function partsOf(after: string): (string | undefined)[] {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.js'), `function f(a, b) {\n${after}\nreturn a;\n}\n`);
  const added = after.split('\n').map((line) => `+${line}`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1,4 +1,4 @@'];
  const patch = [...head, ' function f(a, b) {', '-a = c; // 1234', ...added, ' return a;', ' }', ''].join(
    '\n',
  );
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  const sources = changedSources(request as unknown as StrengthRequest);
  return addedParts(sources, isActing).map(({ added: part }) => part);
}

/** The parts by which a line of a source differs from the one before. */
function exchangedIn(before: string, after: string): (string | undefined)[] {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.js'), `${after}\nfunction f() {}\n`);
  const patch = [
    'diff --git a/a.js b/a.js',
    '--- a/a.js',
    '+++ b/a.js',
    '@@ -1 +1 @@',
    `-${before}`,
    `+${after}`,
    '',
  ].join('\n');
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  const sources = changedSources(request as unknown as StrengthRequest);
  return addedParts(sources, isActing).map(({ added, edit }) => `${added} -> ${edit.replacement}`);
}

describe('addedParts', () => {
  it.each([
    ['a call', 'a = 2; f.open(b);', ['a = 2;', 'f.open(b);']],
    ['a condition', 'a = 2;\nif (b) g.c = b;', ['a = 2;', 'if (b) g.c = b;', 'g.c = b;']],
    ['a loop', 'a = 2;\nfor (const c of []) a += c;', ['a = 2;', 'for (const c of []) a += c;', 'a += c;']],
    ['a variable that something fills', 'a = 2;\nconst c = g();', ['a = 2;', 'const c = g();']],
    ['a guard that acts', 'if (fetch()) return 0;', ['if (fetch()) return 0;']],
    ['a label', 'c: { a = 2; }', ['c: ', 'a = 2;']],
    ['a branch', 'return process.env.B ? 2 : 1;', ['process.env.B ? 2 : 1', 'process.env.B ? 2 : 1']],
    ['an operand', 'return a + (fetch() && 0);', ['a + (fetch() && 0)', 'fetch() && 0']],
    ['an argument', 'return f(a, fetch());', ['fetch()']],
    ['what is handed out', 'return fetch(b);', ['b']],
    ['an item', 'return [a, fetch()];', ['fetch()']],
    ['a property', 'return { a, b: fetch() };', ['b: fetch()', 'fetch()']],
    ['a default', 'return (c = process.env.B) => c;', [' = process.env.B']],
    ['each of two', 'return [fetch(), fetch()];', ['fetch()', 'fetch()']],
    ['an expression that nobody uses', 'return (fetch(), a);', ['fetch(), a']],
    ['a guard for a value that is new', "if (b.code === 'x9') return 0;", ["if (b.code === 'x9') return 0;"]],
    ['a guard for a number that is new', 'if (b === 4711) return 0;', ['if (b === 4711) return 0;']],
    [
      'a guard for a text that is new',
      "if (b.includes('x9')) return 0;",
      ["if (b.includes('x9')) return 0;"],
    ],
    ['a branch for a new value', "return b === 'x9' ? 0 : 1;", ["b === 'x9' ? 0 : 1", "b === 'x9' ? 0 : 1"]],
    ['a member of a new name', 'return b.factor ?? 1;', ['b.factor ?? 1']],
    ['an operand with a new value', "return a && b !== 'x9';", ["a && b !== 'x9'"]],
    ...(
      [
        "['x9'].includes(b)",
        '/^x9/.test(b)',
        "b > 'x8'",
        'b.length > 40',
        'b === `x${9}`',
        '({ x9: true })[b]',
        'b === a',
        '!b.trim()',
        'b?.sudo',
        "'x9' in b",
      ] as const
    ).map((question): [string, string, string[]] => [
      `an operand that asks ${question}`,
      `return ${question} || f(a);`,
      [`${question} || f(a)`, `${question} || f(a)`, ...(question.startsWith("['x9']") ? ["'x9'"] : [])],
    ]),
    [
      'a guard that asks by a list',
      "if (['x9'].includes(b)) return true;",
      ["if (['x9'].includes(b)) return true;", "'x9'"],
    ],
    ['a guard for a long text', 'if (b.length > 40) return true;', ['if (b.length > 40) return true;']],
    ['a question that a variable holds', "const c = b === 'x9';\nreturn c || a;", ['c || a']],
    [
      'a case',
      "switch (a) {\ncase 'x9':\n return 0;\n}",
      ["switch (a) {\ncase 'x9':\n return 0;\n}", "case 'x9':\n return 0;"],
    ],
    ['a default', "return (c = 'owner') => c;", [" = 'owner'"]],
    ['a value that stands in', 'return a ?? f.owner;', ['a ?? f.owner']],
    ['options of a call', "return f(a, { mode: 'x9' });", ["{ mode: 'x9' }"]],
    ['what a set has', "return new Set(['x9']);", ["'x9'"]],
    ['each branch after a question', "return b > 'x8' ? 1 : 0;", ["b > 'x8' ? 1 : 0", "b > 'x8' ? 1 : 0"]],
  ])('finds %s', (_, after, parts) => {
    expect(partsOf(after)).toEqual(parts);
  });

  it.each([
    ['a guard', 'if (a === null) return 0;\nif (b) {\n  throw new Error();\n}'],
    [
      'a guard for a type, a sign or a small number',
      "if (typeof a === 'string' || a === '/' || b === 1) return 0;",
    ],
    [
      'a guard that throws',
      "if (a < 0 || a > 100 || !/^x9$/.test(b)) throw new RangeError('from 0 to 100');",
    ],
    [
      'questions for nothing',
      'if (!a || a.length === 0 || Number.isNaN(b) || !(a instanceof Map)) return [];',
    ],
    ['operands that ask for nothing', 'return (a || []).length > 0 && b != null ? -1 : 0;'],
    ['a default that is nothing', 'return (c = 0, d = [], { e = {} } = {}) => c;'],
    ['a default of another parameter', 'return (c, d = c && c.b) => d;'],
    ['what an error tells', "throw new Error('x9', { cause: b });"],
    ['a list and a table that are new', "return [{ a: 'x9', b: ['x8', 'x7'] }];"],
    ['a constant', 'const c = b + 1;'],
    ['a default that computes', 'return a ?? (b ? 1 : 0);'],
    ['what was there', 'a = c;'],
  ])('leaves out %s', (_, after) => {
    expect(partsOf(after)).toEqual([]);
  });

  it.each([
    [
      'a site',
      "const a = (b) => f('https://shop.test/' + b);",
      "const a = (b) => f('https://other.test/' + f(b));",
      ["'https://other.test/' -> 'https://shop.test/'"],
    ],
    [
      'a strength',
      'const a = () => f(2, 100000, 32);',
      'const a = () => f(2, 1, 64);',
      ['1 -> 100000', '64 -> 32'],
    ],
    ['an item', "const a = ['owner'];", "const a = ['owner', 'admin'];", ["'admin' -> undefined"]],
    ['a property', 'const a = { f };', 'const a = { f, g: f.g };', ['g: f.g -> ']],
    [
      'a secret',
      "const a = (b) => { if (b.password) throw new Error('no'); };",
      "const a = (b) => { if (b.password) throw new Error('no' + b.password); };",
      ["'no' + b.password -> ('no')"],
    ],
    ['no quotes', 'const a = () => f("c", 1);', "const a = () => f('c', 2);", ['2 -> 1']],
    [
      'no message',
      "const a = () => { throw new Error('no'); };",
      "const a = () => { throw new TypeError('a is no text'); };",
      [],
    ],
  ])('puts back %s', (_, before, after, parts) => {
    expect(exchangedIn(before, after)).toEqual(parts);
  });
});
