import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findHiddenProblem } from '../../../src/proof/types/hidden-problems.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const USER = 'export interface User { name: string; email?: string }\n';
const HEAD = 'export function domain(user: User): string {\n';
const BASE = `${USER}${HEAD}  return user.email.split('@')[1].toLowerCase();\n}\n`;
const CONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    skipLibCheck: true,
  },
  include: ['src'],
};

const NOT_WHOLE = [
  "Type 'Partial<Settings>' is not assignable to type 'Settings'.",
  "  Types of property 'port' are incompatible.",
  "    Type 'number | undefined' is not assignable to type 'number'.",
  "      Type 'undefined' is not assignable to type 'number'.",
].join('\n');

/** What is found in a repaired source whose base has a type error. */
async function found(
  now: string,
  base = BASE,
  isRed = true,
  message = "'user.email' is possibly 'undefined'.",
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'tsconfig.json': CONFIG, 'src/a.ts': now });
  linkModules(root, ['typescript']);
  const problem: Diagnostic = {
    ...{ type: 'type_error', severity: 'error', check: 'types', fingerprint: 'a', file: 'src/a.ts', line: 3 },
    message,
  };
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000 },
    signal: new AbortController().signal,
  };
  const sentence = await findHiddenProblem(
    createCheck(planFor('tsc')),
    { request, sources: ['src/a.ts'], baseText: () => Promise.resolve(base) },
    isRed ? [problem] : [],
  );
  expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe(now);
  return sentence;
}

const body = (text: string, head = USER): string => `${head}${HEAD}  ${text}\n}\n`;

it.each([
  [
    'an assertion of an object',
    "return (user as Required<User>).email.split('@').at(-1) ?? '';",
    'as Required<User>',
  ],
  [
    'an assertion of a tuple',
    "const [, last] = (user.email ?? '@').split('@') as [string, string];\n  return last.trim();",
    'as [string, string]',
  ],
  ['an older assertion', 'return (<Required<User>>user).email.trim();', '<Required<User>>'],
  ['a missing value', "return user.email!.split('@').join('');", '!'],
  ['a conversion to a text', "return String(user.email?.split('@')[1]).toLowerCase();", 'String(…)'],
  ['a template', "return `${user.email?.split('@')[1]}`.toLowerCase();", '`${…}`'],
])('%s hides a problem', async (_name, text, shown) => {
  expect(await found(body(text))).toContain(`by "${shown}"`);
});

it.each([
  [
    'the result of a function that returns any',
    USER.replace('?: string', '?: ReturnType<typeof JSON.parse>'),
    'ReturnType<typeof JSON.parse>',
  ],
  [
    'an alias of it',
    `type Text = ReturnType<typeof JSON.parse>;\n${USER.replace('?: string', '?: Text')}`,
    'ReturnType<typeof JSON.parse>',
  ],
  [
    'a member of it',
    USER.replace('?: string', '?: Parameters<typeof JSON.stringify>[0]'),
    'Parameters<typeof JSON.stringify>[0]',
  ],
])('a type that is any is found: %s', async (_name, head, shown) => {
  const sentence = await found(body("return user.email ? user.email.split('@')[1].trim() : '';", head));
  expect(sentence).toContain(`The type ${shown} in src/a.ts is any`);
});

it.each([
  ['a case of its own', "return user.email?.split('@')[1]?.toLowerCase() ?? 'none';"],
  ['a constant', "const kinds = ['a', 'b'] as const;\n  return user.email ?? kinds[0];"],
  ['an empty list', "const all = [] as string[];\n  all.push(user.email ?? '');\n  return all.join();"],
  [
    'a value of no known type',
    "const value: unknown = JSON.parse(user.email ?? '{}');\n  return (value as User).name;",
  ],
  ['a key', "return Object.keys(user).map((key) => user[key as keyof User] ?? '').join();"],
  ['a number as a text', 'return user.email ?? String(user.name.length);'],
  ['a type by another name', "const name: Required<User>['name'] = user.name;\n  return user.email ?? name;"],
  [
    'a type parameter',
    'const first = <T,>(list: readonly T[]): Partial<T> | undefined => list[0];\n  return user.email ?? first([user])?.name ?? "";',
  ],
])('%s hides none', async (_name, text) => {
  expect(await found(body(text))).toBeUndefined();
});

const SETTINGS = 'export interface Settings { port: number; host: string }\n';
const READ = 'export function read(text: string): Settings {\n';
const reading = (text: string): string => `${SETTINGS}${READ}  ${text}\n}\n`;
const PARTLY = reading('const raw = JSON.parse(text) as Partial<Settings>;\n  return raw;');

it.each([
  ['a declared type', 'const raw: Settings = JSON.parse(text);\n  return raw;'],
  ['no type', 'return JSON.parse(text);'],
])('%s in the place of an assertion that said less hides a problem', async (_name, text) => {
  expect(await found(reading(text), PARTLY, true, NOT_WHOLE)).toContain('without "as Partial<Settings>"');
});

it.each([
  ['a new object', 'return Object.assign(Object.create(Object.prototype), raw);'],
  ['a copy', 'const copy: Settings = JSON.parse(JSON.stringify(raw));\n  return copy;'],
])('%s that could be anything hides a problem', async (_name, text) => {
  const now = reading(`const raw = JSON.parse(text) as Partial<Settings>;\n  ${text}`);
  expect(await found(now, PARTLY, true, NOT_WHOLE)).toContain(
    'src/a.ts:4 hides a problem of the type checker',
  );
});

it.each([
  [
    'an empty table',
    "const all: Record<string, number> = Object.create(null);\n  return { port: all['port'] ?? 80, host: raw.host ?? '' };",
  ],
  [
    'a copy of a list',
    'const copy: unknown = JSON.parse(JSON.stringify(raw));\n  return { port: 80, host: String(copy) };',
  ],
])('%s hides none', async (_name, text) => {
  const now = reading(`const raw = JSON.parse(text) as Partial<Settings>;\n  ${text}`);
  expect(await found(now, PARTLY, true, NOT_WHOLE)).toBeUndefined();
});

it.each([
  ['with defaults', "return { port: 80, host: 'localhost', ...JSON.parse(text) };"],
  ['as nothing known', 'const raw: unknown = JSON.parse(text);\n  return { port: 80, host: String(raw) };'],
  ['piece by piece', "const { port = 80, host = 'localhost' } = JSON.parse(text);\n  return { port, host };"],
  [
    'as a table',
    "const raw: Record<string, string> = JSON.parse(text);\n  return { port: Number(raw['port'] ?? 80), host: raw['host'] ?? '' };",
  ],
])('a value that is read %s hides none', async (_name, text) => {
  expect(await found(reading(text), PARTLY, true, NOT_WHOLE)).toBeUndefined();
});

it('an assertion of the base, and one where nothing was red, are left alone', async () => {
  const asserted = body('const it = user as Required<User>;\n  return it.email.trim();');
  expect(await found(asserted.replace('trim()', 'trim() + "."'), asserted)).toBeUndefined();
  expect(await found(asserted, BASE, false)).toBeUndefined();
  expect(await found(asserted)).toContain('as Required<User>');
});
