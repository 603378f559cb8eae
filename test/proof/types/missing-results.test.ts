import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findMissingResult } from '../../../src/proof/types/missing-results.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const USER = 'export interface User { name: string; age: number }\n';
const HEAD = 'export function find(users: User[], name: string): User {';
const FOUND = 'users.find((user) => user.name === name)';
const BASE = `${USER}${HEAD}\n  return ${FOUND};\n}\n`;
const PROBLEM = "Type 'User | undefined' is not assignable to type 'User'.";

async function found(body: string, head = HEAD, line = 3): Promise<string | undefined> {
  return findIn(`${USER}${head}\n${body}\n}\n`, BASE, line);
}

async function findIn(now: string, base: string, line: number): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/a.ts': now });
  const sentence = await findMissingResult(
    createCheck(planFor('tsc')),
    {
      request: {
        root,
        cacheDir: join(temporaryFolder(), 'cache'),
        fresh: true,
        timeoutMs: 50_000,
        signal: new AbortController().signal,
      },
      sources: ['src/a.ts'],
      baseText: () => Promise.resolve(base),
    },
    [
      {
        type: 'type_error',
        message: PROBLEM,
        severity: 'error',
        check: 'types',
        fingerprint: 'a',
        file: 'src/a.ts',
        line,
      },
    ],
  );
  expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe(now);
  return sentence;
}

it.each([
  ['the first of a filtered list', 'return users.filter((user) => user.name === name)[0];'],
  [
    'an index signature',
    'const all: Record<string, User> = {}; for (const it of users) all[it.name] = it; return all[name];',
  ],
  [
    'a captured variable',
    `let hit: User; const read = () => hit; users.some((it) => it.name === name && Boolean((hit = it))); return read();`,
  ],
])('%s hides a missing value from the type checker', async (_, body) => {
  expect(await found(body)).toContain('find of src/a.ts still returns undefined for the arguments');
});

it.each<[string, string, string?, number?]>([
  ['a thrown error', `const hit = ${FOUND}; if (!hit) throw new RangeError(name); return hit;`],
  ['another value', `return ${FOUND} ?? { name, age: 0 };`],
  [
    'a wider type',
    `return ${FOUND};`,
    'export function find(users: User[], name: string): User | undefined {',
  ],
  [
    'a parameter that no value is known for',
    `return users.find(by)!;`,
    'export function find(users: User[], by: (user: User) => boolean): User {',
  ],
  ['an error elsewhere', 'return users.filter((user) => user.name === name)[0];', HEAD, 1],
])('%s is no such thing', async (_, body, head, line) => {
  expect(await found(body, head, line)).toBeUndefined();
});

const FIRST = 'export function first(users: User[]): string {\n';
const firstWith = (body: string): string => `${USER}${FIRST}  ${body}\n}\n`;

it.each([
  ['a fold without a first value', 'return users.reduce((head) => head).name;'],
  [
    'a loop that always ends',
    'for (;;) for (const user of [...users, users.at(-1) as User]) return user.name;',
  ],
])('the language still throws for an empty list: %s', async (_, body) => {
  const sentence = await findIn(firstWith(body), firstWith('return users[0].name;'), 3);
  expect(sentence).toContain('first of src/a.ts still throws a TypeError');
});

it.each([
  ["return users[0]?.name ?? 'nobody';"],
  ["if (users.length === 0) throw new TypeError('nobody');\n  return users[0]!.name;"],
  ["if (users.length === 0) throw new RangeError('nobody');\n  return users[0]!.name;"],
])('an empty list is handled: %s', async (body) => {
  expect(await findIn(firstWith(body), firstWith('return users[0].name;'), 3)).toBeUndefined();
});

const KEEPER = (body: string): string =>
  `${USER}export class Keeper {\n  #users: User[];\n  constructor(users: User[]) {\n    this.#users = users;\n  }\n  find(name: string): User {\n    ${body}\n  }\n}\n`;

it.each([
  ['return this.#users.filter((user) => user.name === name)[0];', true],
  [
    'const [hit] = this.#users.filter((user) => user.name === name); if (!hit) throw new RangeError(name); return hit;',
    false,
  ],
])('a method is called on a new object: %s', async (body, isFound) => {
  const sentence = await findIn(
    KEEPER(body),
    KEEPER('return this.#users.find((user) => user.name === name);'),
    8,
  );
  expect(sentence !== undefined).toBe(isFound);
});

const EVENT = 'export interface Event { at: Date }\nexport interface User { name: string }\n';

it.each([
  [
    'a text in place of a date',
    'export function copy(raw: { at: string }): Event {',
    'return raw;',
    'return JSON.parse(JSON.stringify(raw));',
    '"at","other"',
  ],
  [
    'a number that was never awaited',
    'export async function twice(): Promise<number> {',
    'return read() * 2;',
    'return Number(read()) * 2;',
    'NaN',
  ],
  [
    'a misspelt name',
    'export function hello(user: User): string {',
    "return 'Hello ' + user.nmae;",
    "return 'Hello ' + (user as { nmae?: string }).nmae;",
    'Hello undefined',
  ],
  [
    'arguments in the wrong order',
    'export function show(n: number): string {',
    "return area(n, 'm2');",
    "return area(String(n), 'm2' as unknown as number);",
    'NaN',
  ],
])('%s stays behind other types', async (_, head, before, now, shown) => {
  const tail =
    'async function read(): Promise<number> { return 5; }\nfunction area(unit: string, n: number): string { return Number(n).toFixed(1) + unit; }\n';
  const textWith = (body: string): string => `${EVENT}${head}\n${body}\n}\n${tail}`;
  expect(await findIn(textWith(now), textWith(before), 4)).toContain(shown);
});

it.each([
  ['copy(raw: { at: string }): Event', 'return { at: new Date(raw.at) };'],
  ['price(text: string): number', 'return Number.parseFloat(text);'],
  ['mean(list: number[]): number', 'return list.reduce((a, b) => a + b, 0) / list.length;'],
  ['label(user: User): string', 'return `user ${user.name}`;'],
  ['first(list: string[]): string | undefined', 'return list[0];'],
])('%s is repaired', async (head, body) => {
  const textWith = (it: string): string => `${EVENT}export function ${head} {\n${it}\n}\n`;
  expect(await findIn(textWith(body), textWith('return 1;'), 4)).toBeUndefined();
});
