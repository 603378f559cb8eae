import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixWithTypeScript } from '../../../src/repair/fixers/typescript.ts';
import { textsOf } from '../../support/repair-repo.ts';
import { repositoryWith, temporaryFolder, type Files } from '../../support/repositories.ts';
import { checkPlan, contextWith } from './context.ts';

const plan = checkPlan({
  name: 'types',
  tool: 'tsc',
  bin: 'node_modules/@typescript/native-preview/bin/tsgo',
  config: 'tsconfig.json',
});

const STRICT = { strict: true, target: 'ES2022', module: 'NodeNext', types: [], noEmit: true };
const LAX = { ...STRICT, strict: false };

/** The package `typescript` of version 7: it has a version and no interface for JavaScript. */
const TYPESCRIPT_7: Files = {
  'node_modules/typescript/package.json': { name: 'typescript', version: '7.0.2', main: 'version.cjs' },
  'node_modules/typescript/version.cjs': "exports.version = '7.0.2';\n",
};

/** Fixes a repository with TypeScript 7 and returns the result with its files' texts. */
async function fix(files: Files, erring: readonly string[], own = plan) {
  const tsconfig = { compilerOptions: STRICT, include: ['src', 'test'] };
  const root = repositoryWith(
    { 'package.json': { type: 'module' }, 'tsconfig.json': tsconfig, ...TYPESCRIPT_7, ...files },
    ['@typescript/native-preview'],
  );
  const before = textsOf(root);
  const result = await fixWithTypeScript({ plan: own, context: contextWith(root, own, erring) });
  return { root, before, result, text: (file: string) => readFileSync(join(root, file), 'utf8') };
}

const NO_INTERFACE = 'The installed TypeScript 7.0.2 has no language service for JavaScript.';

describe('fixWithTypeScript with TypeScript 7', () => {
  it("applies the server's fix for a missing import and the name that its message suggests", async () => {
    const { result, text } = await fix(
      {
        'src/add.ts':
          '// caf\u00e9 \u{1f600}\nexport function add(left: number, right: number): number {\n  return left + rihgt;\n}\n',
        'src/use.ts': 'export const three: number = add(1, 2);\n',
      },
      ['src/add.ts', 'src/use.ts'],
    );
    expect(result.errorsFixed).toBe(2);
    expect([...result.changed].sort()).toEqual(['src/add.ts', 'src/use.ts']);
    expect(text('src/add.ts')).toContain('return left + right;');
    expect(text('src/use.ts')).toMatch(/^import \{ add \} from ["']\.\/add\.js["'];/);
    expect(result.actions.map(({ description }) => description)).toEqual([
      "TypeScript's fix for TS2552 in src/add.ts: Change spelling to 'right'",
      'TypeScript\'s fix for TS2304 in src/use.ts: Add import from "./add.js"',
    ]);
  });

  it.each([
    [
      'an await that is missing',
      'async function a(): Promise<number> { return 1; }\nexport async function b(): Promise<number> {\n  const c = a();\n  return c * 2;\n}\n',
      /await/,
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

  it('uses the configuration of the check instead of the nearest one', async () => {
    const files = {
      'tsconfig.json': { compilerOptions: LAX, include: ['src'] },
      'tsconfig.checked.json': { compilerOptions: STRICT, include: ['src'] },
      'src/a.ts': 'export function a(b?: { c: number }): number {\n  return b.c;\n}\n',
    };
    const strict = { ...plan, args: ['--project', 'tsconfig.checked.json'] };
    expect((await fix(files, ['src/a.ts'], strict)).result.errorsFixed).toBe(1);
    expect((await fix(files, ['src/a.ts'])).result.errorsFixed).toBe(0);
  });

  it('fixes files of referenced projects', async () => {
    const { result, text } = await fix(
      {
        'tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }, { path: './tool' }] },
        'tsconfig.app.json': { compilerOptions: { ...STRICT, composite: true }, include: ['src'] },
        'tool/tsconfig.json': { compilerOptions: { ...STRICT, composite: true }, include: ['.'] },
        'src/a.ts': 'const left = 1;\nexport const a = letf;\n',
        'tool/b.ts': 'const right = 1;\nexport const b = rihgt;\n',
      },
      ['src/a.ts', 'tool/b.ts'],
    );
    expect(result.errorsFixed).toBe(2);
    expect(text('src/a.ts')).toContain('a = left;');
    expect(text('tool/b.ts')).toContain('b = right;');
  });

  it('never silences the checker, and does not fix one file at the cost of another', async () => {
    const { result, root, before } = await fix(
      {
        'src/a.ts': 'export function wide(b: number): number {\n  return b;\n}\n',
        'src/c.ts': "import { wide } from './a.js';\nexport const d: { e: boolean } = wide(1);\n",
      },
      ['src/c.ts'],
    );
    expect(result.changed).not.toContain('src/a.ts');
    expect(textsOf(root)['src/a.ts']).toBe(before['src/a.ts']);
    expect(Object.values(textsOf(join(root, 'src'))).join()).not.toMatch(/\bany\b|@ts-|unknown/);
  });

  it.each([
    ['ends at once', 'process.exitCode = 1;\n', /ended|closed its output/],
    [
      'answers something else',
      'process.stdin.resume();\nconsole.log("hello");\n',
      /did not answer initialize/,
    ],
  ])('changes nothing and gives the reason if the server %s', async (_, text, why) => {
    // --showConfig works; the server does not.
    const bin = 'tools/tsc.js';
    const program = `if (process.argv.includes('--showConfig')) console.log('{"files":["./src/a.ts"]}');\nelse {\n${text}}\n`;
    const files = { 'src/a.ts': 'export const a: string = 1;\n', [bin]: program };
    const root = repositoryWith({
      'package.json': { type: 'module' },
      'tsconfig.json': '{}',
      ...TYPESCRIPT_7,
      ...files,
    });
    const before = textsOf(root);
    const own = { ...plan, bin };
    const result = await fixWithTypeScript({
      plan: own,
      context: contextWith(root, own, ['src/a.ts']),
      timeoutMs: 3_000,
    });
    expect(result.changed).toEqual([]);
    expect(result.reason).toMatch(why);
    expect(result.reason).toContain(NO_INTERFACE);
    expect(textsOf(root)).toEqual(before);
  });

  it('kills a server that does not end by itself', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const stubborn =
      "import { writeFileSync } from 'node:fs';\n" +
      'if (process.argv.includes(\'--showConfig\')) console.log(\'{"files":["./src/a.ts"]}\');\n' +
      `else {\n  writeFileSync('${pidFile}', String(process.pid));\n  process.on('SIGTERM', () => {});\n  setInterval(() => {}, 1000);\n}\n`;
    const files = { 'src/a.ts': 'export const a: string = 1;\n', 'tools/tsc.js': stubborn };
    const own = { ...plan, bin: 'tools/tsc.js' };
    const root = repositoryWith({
      'package.json': { type: 'module' },
      'tsconfig.json': '{}',
      ...TYPESCRIPT_7,
      ...files,
    });
    const request = { plan: own, context: contextWith(root, own, ['src/a.ts']), timeoutMs: 3_000 };
    expect((await fixWithTypeScript(request)).reason).toMatch(/did not answer initialize in time/);
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow(/ESRCH/);
  });

  it('gives the reason if no compiler is known', async () => {
    const { result } = await fix({ 'src/a.ts': 'export const a: string = 1;\n' }, ['src/a.ts'], {
      ...plan,
      bin: undefined,
    } as unknown as typeof plan);
    expect(result).toMatchObject({ changed: [], reason: NO_INTERFACE });
  });
});
