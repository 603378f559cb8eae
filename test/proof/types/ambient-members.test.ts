import { expect, it } from 'vitest';
import { findAmbientMember } from '../../../src/proof/types/ambient-members.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CODE = 'export const first = (users: readonly User[]) => users.first();\n';

/** The sentence on a source with declarations, beside other files; `data`: other files that the change brings. */
async function found(
  declared: string,
  files: Readonly<Record<string, string>> = {},
  base = CODE,
  data: readonly string[] = [],
) {
  const root = temporaryFolder();
  writeFiles(root, { 'src/users.ts': `${declared}\n${CODE}`, ...files });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const baseText = (path: string) => Promise.resolve(path === 'src/users.ts' ? base : undefined);
  return findAmbientMember({ request, sources: ['src/users.ts'], data, baseText });
}

const inGlobal = (text: string): string => `declare global {\n  ${text}\n}\n`;

it.each([
  ['a method of lists', 'interface ReadonlyArray<T> { first(): T }', 'first for every ReadonlyArray'],
  ['a property of texts', 'interface String { domain: string }', 'domain for every String'],
  ['a function of a class', 'interface ObjectConstructor { known(a: object): string }', 'known for every'],
  ['an item of lists', 'interface ReadonlyArray<T> { readonly 0: T }', '0 for every ReadonlyArray'],
  ['each item of lists', 'interface Array<T> { [at: number]: T }', 'every index for every Array'],
])('names %s that nobody gives', async (_, text, sentence) => {
  expect(await found(inGlobal(text))).toContain(`declares ${sentence}`);
  expect(await found(inGlobal(text))).toContain('--allow src/users.ts permits it');
});

it('accepts a member that the code gives, that the language has, or that the base declares', async () => {
  const text = inGlobal('interface Array<T> { first(): T }');
  const patch = { 'src/patch.js': 'Array.prototype.first = function () { return this[0]; };\n' };
  expect(await found(text, patch)).toBeUndefined();
  expect(await found(inGlobal('interface Array<T> { at(index: number): T | undefined }'))).toBeUndefined();
  expect(await found(inGlobal('interface ObjectConstructor { hasOwn(a: object): boolean }'))).toBeUndefined();
  expect(await found(text, {}, text)).toBeUndefined();
});

it('names a member that a file of declarations brings, which is no module', async () => {
  const file = 'src/lists.d.ts';
  const [text, of] = ['interface ReadonlyArray<T> {\n  readonly 0: T;\n}\n', 'every ReadonlyArray'];
  expect(await found('', { [file]: text }, CODE, [file])).toContain(`${file} declares 0 for ${of}`);
  expect(await found('', { [file]: `export ${text}` }, CODE, [file])).toBeUndefined();
  expect(await found('', { [file]: 'declare module "left-pad";\n' }, CODE, [file])).toBeUndefined();
});

it('accepts members of what the language does not have, and interfaces of the module', async () => {
  expect(await found(inGlobal('interface Window { config: string }'))).toBeUndefined();
  expect(await found('interface Array<T> { first(): T }')).toBeUndefined();
});
