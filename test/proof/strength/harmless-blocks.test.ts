import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { isHarmless, isRepeated } from '../../../src/proof/strength/harmless-blocks.ts';
import { revertedBlocks } from '../../../src/proof/strength/reverted-blocks.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** The blocks of a file: each item of `changes` is what the base has, and what the result has in its place. */
function blocksOf(...changes: readonly (readonly [before: string, after: string])[]) {
  const root = temporaryFolder();
  const lines = changes.flatMap(([before, after]) => [
    ...before
      .split('\n')
      .filter(Boolean)
      .map((line) => `-${line}`),
    ...after
      .split('\n')
      .filter(Boolean)
      .map((line) => `+${line}`),
    ' export const kept = used;',
  ]);
  const now = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  writeFileSync(join(root, 'a.ts'), `${now.join('\n').replaceAll('kept', () => `kept${String(next++)}`)}\n`);
  const patch = ['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', ...lines, ''];
  const request = { root, changes: { patch: patch.join('\n') }, testFiles: [] as string[] };
  return revertedBlocks(changedSources(request as unknown as StrengthRequest));
}
let next = 0;

describe('isHarmless', () => {
  it.each([
    ['a new function', '', 'export function f() {\n  return g();\n}'],
    ['a new constant', '', "const names = ['a', 'b'];"],
    ['a new class', '', 'class A {\n  read() {}\n}'],
    ['a class with fields', '', 'class A {\n  static size = 3;\n  items = f();\n  [key] = 1;\n}'],
    [
      'an object with methods',
      '',
      'const a = { read() { return f(); }, get all() { return f(); }, size: 1 };',
    ],
    ['a function with defaults', '', 'function f(a = g(), { b = h() } = {}) {}'],
    ['imports', "import { a } from './b.js';", "import { a, c } from './b.js';"],
    ['an import that is gone', "import a from './b.js';", ''],
    ['an import of CommonJS', '', "const a = require('./b.js');"],
    ['a constant that nothing names any more', 'const old = /a+/;', ''],
    ['a function that nothing names any more', 'function old() {\n  return 1;\n}', ''],
  ])('holds for %s', (_name, before, after) => {
    expect(blocksOf([before, after]).map(isHarmless)).toEqual([true]);
  });

  it.each([
    ['a guard', '', 'if (f()) throw new Error();'],
    ['another value', 'const a = f(1);', 'const a = f(2);'],
    ['a call that is gone', 'f();', ''],
    ['a constant that is computed', '', 'const a = f();'],
    ['a static field that acts', '', 'class A {\n  static config = f();\n}'],
    ['a static block', '', 'class A {\n  static {\n    f();\n  }\n}'],
    ['a key that acts', '', 'class A {\n  [(a.b = true)]() {}\n}'],
    ['a decorator', '', '@f\nclass A {}'],
    ['a decorator of a member', '', 'class A {\n  @f read() {}\n}'],
    ['a class expression that acts', '', 'const A = class {\n  static b = f();\n};'],
    ['an object with a key that acts', '', 'const a = { [f()]: 1 };'],
    ['a pattern that acts', '', 'const { a = (b.c = true) } = d;'],
    ['a constant that deletes', '', 'const a = delete b.c;'],
    ['a tagged template', '', 'const a = f`x`;'],
    ['a list that something fills', '', 'const a = [...f.values];'],
    ['a resource', '', 'using a = b;'],
    ['more than require', '', "const a = require('./b.js', (c.d = true));"],
    ['a member of require that acts', '', "const a = require('./b.js')[(c.d = true)];"],
    ['a statement beside a declaration', '', 'function f() {} a.b = true;'],
    ['a name that the module uses', '', 'function used(a) {}'],
    ['an import of such a name', '', "import { a as used } from './b.js';"],
    ['an import from elsewhere', "import { a } from './b.js';", "import { a } from './c.js';"],
    ['an import of another name', "import { a } from './b.js';", "import { c as a } from './b.js';"],
    ['an export that loaders look for', '', 'export function then(a) {}'],
    ['an import for its effects', '', "import './b.js';"],
    ['a class that extends another one', '', 'class A extends B {\n  read() {}\n}'],
    ['an export that is gone', 'export function old() {}', ''],
    ['a constant that something names', 'const kept = 1;', ''],
  ])('does not hold for %s', (_name, before, after) => {
    next = 0;
    const given = before.replace('const kept', 'const kept0');
    expect(blocksOf([given, after]).map(isHarmless)).toEqual([false]);
  });
});

/** Whether a line that is added between two others is harmless. */
function isHarmlessBetween(before: string, added: string, after: string): boolean {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ts'), `${before}\n${added}\n${after}\n`);
  const head = ['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', '@@ -1,2 +1,3 @@'];
  const patch = [...head, ` ${before}`, `+${added}`, ` ${after}`, ''].join('\n');
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  return revertedBlocks(changedSources(request as unknown as StrengthRequest)).every(isHarmless);
}

it('a line in a function, or in a method, is none of its own', () => {
  expect(isHarmlessBetween('function f(a) {', 'if (a > 9) return 0;', '}')).toBe(false);
  expect(isHarmlessBetween('class A { read(a) {', 'if (a > 9) return 0;', '} }')).toBe(false);
  expect(isHarmlessBetween('class A {', 'static b = f();', '}')).toBe(false);
  expect(isHarmlessBetween('class A {', 'read(a) {}', '}')).toBe(true);
  expect(isHarmlessBetween('function f(a) {}', 'function g(a) {}', 'f();')).toBe(true);
});

describe('revertedBlocks', () => {
  it('puts back the imports that the change takes out with each block', () => {
    const blocks = blocksOf(["import { a, b } from './b.js';", "import { a } from './b.js';"], ['b(1);', '']);
    expect(blocks.map(({ edit, candidate }) => [edit.replacement, candidate.edits.length])).toEqual([
      [', b', 1],
      ['b(1);\n', 2],
    ]);
  });
});

describe('isRepeated', () => {
  it('holds for the same change in two places, and not for another one', () => {
    const blocks = blocksOf(
      ['a(x > 1);', 'a(x >= 1);'],
      ['other(x.y > 1, z);', 'other(x.y >= 1, z);'],
      ['b(x > 1);', 'b(x < 1);'],
    );
    expect(blocks.map((it) => isRepeated(it, [blocks[0]!]))).toEqual([false, true, false]);
  });
});
