import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/schema/generated.ts';
import { addsSuppression } from '../../../src/repair/fixers/suppressions.ts';
import { fixWithTypeScript } from '../../../src/repair/fixers/typescript.ts';
import { createRepo, textsOf } from '../../support/repair-repo.ts';
import { checkPlan, contextWith } from './context.ts';

const plan = checkPlan({
  name: 'types',
  tool: 'tsc',
  bin: 'node_modules/typescript/bin/tsc',
  config: 'tsconfig.json',
});

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    types: [],
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['src', 'test'],
});

/** Fixes a repository and returns the result with its files' texts. */
async function fix(files: Readonly<Record<string, string>>, erring: readonly string[]) {
  const root = createRepo({ 'tsconfig.json': TSCONFIG, ...files });
  const before = textsOf(root);
  const result = await fixWithTypeScript({ plan, context: contextWith(root, plan, erring) });
  return { root, before, result, text: (file: string) => readFileSync(join(root, file), 'utf8') };
}

describe('fixWithTypeScript', () => {
  it('applies the quick fixes for a misspelled name and a missing import', async () => {
    const { result, text } = await fix(
      {
        'src/add.ts':
          'export function add(left: number, right: number): number {\n  return left + rihgt;\n}\n',
        'src/use.ts': 'export const three: number = add(1, 2);\n',
      },
      ['src/add.ts', 'src/use.ts'],
    );
    expect(result.errorsFixed).toBe(2);
    expect([...result.changed].sort()).toEqual(['src/add.ts', 'src/use.ts']);
    expect(text('src/add.ts')).toContain('return left + right;');
    expect(text('src/use.ts')).toMatch(/^import \{ add \} from ["']\.\/add\.js["'];/);
    expect(result.actions[0]?.description).toMatch(
      /^TypeScript's fix for TS\d+ in src\/add\.ts: Change spelling/,
    );
  });

  it.each([
    [
      'a return type',
      { 'src/a.ts': 'export function a(b: number): string {\n  return b * 2;\n}\n' },
      'export function a(b: number): number {\n  return b * 2;\n}\n',
    ],
    [
      'a variable that may be undefined',
      {
        'src/a.ts':
          'const all = new Map<string, number[]>();\nexport function a(k: string): number {\n  const b: number[] = all.get(k);\n  return b ? b.length : 0;\n}\n',
      },
      'const all = new Map<string, number[]>();\nexport function a(k: string): number {\n  const b: number[] | undefined = all.get(k);\n  return b ? b.length : 0;\n}\n',
    ],
    [
      'the declaration behind a name',
      {
        'src/a.ts': 'export interface A {\n  size: string;\n}\n',
        'src/b.ts':
          "import type { A } from './a.js';\nexport const twice = (a: A): number => a.size * 2;\nexport const one: A = { size: 1 };\n",
      },
      'export interface A {\n  size: number;\n}\n',
    ],
  ])('corrects %s where the code is tested', async (_, files, expected) => {
    const root = createRepo({ 'tsconfig.json': TSCONFIG, ...files });
    const context = contextWith(root, plan, Object.keys(files));
    const passed: TestCase = { id: 'tests: it', name: 'it', status: 'passed' };
    const evaluation = { ...context.evaluation, tests: [passed] };
    const result = await fixWithTypeScript({ plan, context: { ...context, evaluation } });
    expect(result.changed).toEqual(['src/a.ts']);
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe(expected);
  });

  it.each([
    [
      'an await that is missing',
      'async function a(): Promise<number> { return 1; }\nexport async function b(): Promise<number> {\n  const c = a();\n  return c * 2;\n}\n',
      /await/,
    ],
    [
      'a number instead of a string',
      'export function a(b: number): string {\n  return b;\n}\n',
      /return String\(b\)|return b\.toString\(\)|return `/,
    ],
    [
      'a literal outside its union',
      "type Side = 'left' | 'right';\nexport const side: Side = 'lefft';\n",
      /= 'left';/,
    ],
    [
      'a value that may be missing',
      'export function a(b?: { c: number }): number {\n  return b.c;\n}\n',
      /return b\?\.c \?\? \d/,
    ],
  ])('fixes %s', async (_, source, expected) => {
    const { result, text } = await fix({ 'src/a.ts': source }, ['src/a.ts']);
    expect(result.errorsFixed).toBe(1);
    expect(text('src/a.ts')).toMatch(expected);
  });

  it('never silences the checker', async () => {
    const { result, text } = await fix(
      { 'src/a.ts': 'export function a(b: { c: 1 }): { d: 2 } {\n  return b;\n}\n' },
      ['src/a.ts'],
    );
    expect(result.errorsFixed).toBeLessThanOrEqual(1);
    expect(text('src/a.ts')).not.toMatch(/\bany\b|@ts-|unknown|never/);
  });

  it('rejects the quick fix that disables checking in JavaScript', async () => {
    const config = JSON.stringify({
      compilerOptions: {
        allowJs: true,
        checkJs: true,
        strict: true,
        noEmit: true,
        types: [],
        module: 'NodeNext',
      },
      include: ['src'],
    });
    const { root } = await fix(
      { 'tsconfig.json': config, 'src/a.js': 'export const a = missingThing.value;\n' },
      ['src/a.js'],
    );
    expect(Object.values(textsOf(root)).join()).not.toContain('@ts-');
  });

  it('changes no tests', async () => {
    const files = {
      'src/a.ts': 'export const value = 1;\n',
      'test/a.test.ts': "import { value } from '../src/a.js';\nexport const b: string = vaule;\n",
    };
    const { result, root, before } = await fix(files, ['test/a.test.ts']);
    expect(result).toMatchObject({
      changed: [],
      reason: 'No editable source file has a type error.',
    });
    expect(textsOf(root)).toEqual(before);
  });

  it('does not fix one file at the cost of another', async () => {
    const { result, root, before } = await fix(
      {
        'src/a.ts': 'export function wide(b: number): number {\n  return b;\n}\n',
        'src/c.ts': "import { wide } from './a.js';\nexport const d: { e: boolean } = wide(1);\n",
      },
      ['src/c.ts'],
    );
    expect(result.changed).not.toContain('src/a.ts');
    expect(textsOf(root)['src/a.ts']).toBe(before['src/a.ts']);
  });
});

describe('addsSuppression', () => {
  it.each([
    ['let a = b;', 'let a = b as any;', true],
    ['let a = b;', '// @ts-ignore\nlet a = b;', true],
    ['let a = b;', '/* eslint-disable */ let a = b;', true],
    ['let a = b;', 'let a: any = b;', true],
    ['let a = b as any;', 'let a = c as any;', false],
    ['let a = b;', 'let many = b;', false],
  ])('%s → %s: %s', (before, after, expected) => {
    expect(addsSuppression(before, after)).toBe(expected);
  });
});
