import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findNarrowedDeclaration } from '../../../src/proof/types/narrowed-declarations.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CONFIG = {
  compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] },
  include: ['src'],
};
const LABEL =
  "import { find } from './lib.js';\nexport const label = (id: number): string => find(id).toUpperCase();\n";
const CODE = "const names = new Map([[1, 'one']]);\nexport function find(id) {\n  return names.get(id);\n}\n";
const DECLARED = 'export declare function find(id: number): string | undefined;\n';
const NARROWED = 'export declare function find(id: number): string;\n';
const described = (returns: string, code = CODE): string =>
  code.replace('export', `/** @param {number} id @returns {${returns}} */\nexport`);
const USER = 'export function find(id) {\n  return id > 0 ? String(id) : undefined;\n}\n';

const PROBLEMS = ['undefined', 'null'].map((kind): Diagnostic => ({
  ...{
    type: 'type_error',
    severity: 'error',
    check: 'types',
    fingerprint: kind,
    file: 'src/label.ts',
    line: 2,
  },
  message: `Object is possibly '${kind}'.`,
}));

type Files = Readonly<Record<string, string>>;

/** What is found in a tree whose files replace those of the base. */
async function found(base: Files, now: Files, allowJs = false): Promise<string | undefined> {
  const root = temporaryFolder();
  const rest = {
    'package.json': { type: 'module' },
    'tsconfig.json': { ...CONFIG, compilerOptions: { ...CONFIG.compilerOptions, allowJs } },
  };
  const files = { 'src/label.ts': LABEL, ...base };
  writeFiles(root, { ...rest, ...files });
  linkModules(root, ['typescript']);
  writeFiles(root, now);
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000 },
    signal: new AbortController().signal,
  };
  const isData = (path: string): boolean => path.endsWith('.d.ts');
  const changed = Object.keys(now);
  const asked = {
    request,
    sources: changed.filter((path) => !isData(path)),
    data: changed.filter(isData),
    baseText: (path: string) => Promise.resolve((files as Files)[path]),
  };
  return findNarrowedDeclaration(createCheck(planFor('tsc')), asked, PROBLEMS);
}

const BESIDE: Files = { 'src/lib.js': CODE, 'src/lib.d.ts': DECLARED };

it.each<[string, Files, Files]>([
  ['a file beside it', BESIDE, { 'src/lib.d.ts': NARROWED }],
  [
    'a constant beside it',
    { ...BESIDE, 'src/lib.d.ts': 'export declare const find: (id: number) => string | undefined;\n' },
    { 'src/lib.d.ts': 'export declare const find: (id: number) => string;\n' },
  ],
  [
    'a file beside code of which the parameter decides the result',
    { ...BESIDE, 'src/lib.js': 'export const find = (id) => (id > 0 ? id : undefined)?.toFixed();\n' },
    { 'src/lib.d.ts': NARROWED },
  ],
  [
    'another value of null',
    {
      ...BESIDE,
      'src/lib.js': USER.replace('undefined', 'null'),
      'src/lib.d.ts': DECLARED.replace('undefined', 'null'),
    },
    { 'src/lib.d.ts': NARROWED },
  ],
])('refuses a declaration by %s that the code does not keep', { timeout: 60_000 }, async (_by, base, now) => {
  expect(await found(base, now)).toMatch(
    /^src\/lib\.d\.ts declares a result that the code does not always give, and this alone hides "Object is possibly '\w+'\." in src\/label\.ts\. .* it says "Type '.*' is not assignable to type '.*'\."\. .*--allow src\/lib\.d\.ts permits it\.$/,
  );
});

it.each<[string, string, string]>([
  ['its comment', described('string | undefined'), described('string')],
  [
    'a comment that says not to look',
    described('string | undefined'),
    described('string').replace('  return', '  // @ts-ignore\n  return'),
  ],
])(
  'refuses a declaration by %s that the code does not keep',
  { timeout: 60_000 },
  async (_by, before, now) => {
    expect(await found({ 'src/lib.js': before }, { 'src/lib.js': now }, true)).toMatch(
      /^src\/lib\.js declares a result .* it says "Type 'string \| undefined' is not assignable to type 'string'\."\. .*--allow src\/lib\.js permits it\.$/,
    );
  },
);

const GIVES = CODE.replace('names.get(id)', "names.get(id) ?? ''");

it.each<[string, Files, Files, boolean?]>([
  ['the code keeps what is declared now', { ...BESIDE, 'src/lib.js': GIVES }, { 'src/lib.d.ts': NARROWED }],
  ['the code was changed as well', BESIDE, { 'src/lib.js': GIVES, 'src/lib.d.ts': NARROWED }],
  [
    'the code keeps what its comment says now',
    { 'src/lib.js': described('string | undefined', GIVES) },
    { 'src/lib.js': described('string', GIVES) },
    true,
  ],
  [
    'the code below the comment was changed as well',
    { 'src/lib.js': described('string | undefined') },
    { 'src/lib.js': described('string', GIVES) },
    true,
  ],
  [
    'the problem was handled where it was',
    BESIDE,
    { 'src/label.ts': LABEL.replace('find(id).', "(find(id) ?? '')."), 'src/lib.d.ts': NARROWED },
  ],
  [
    'the checker does not know what the code returns',
    { ...BESIDE, 'src/lib.js': "export const find = (id) => JSON.parse('{}')[id];\n" },
    { 'src/lib.d.ts': NARROWED },
  ],
])('says nothing where %s', { timeout: 60_000 }, async (_where, base, now, allowJs) => {
  expect(await found(base, now, allowJs)).toBeUndefined();
});
