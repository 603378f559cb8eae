import { expect, it } from 'vitest';
import { findAmbientMember } from '../../../src/proof/types/ambient-members.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CODE = 'export const first = (users: readonly User[]) => users.first();\n';

/** The sentence on a source with declarations, beside other files. */
async function found(declared: string, files: Readonly<Record<string, string>> = {}, base = CODE) {
  const root = temporaryFolder();
  writeFiles(root, { 'src/users.ts': `${declared}\n${CODE}`, ...files });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findAmbientMember({ request, sources: ['src/users.ts'], baseText: () => Promise.resolve(base) });
}

const inGlobal = (text: string): string => `declare global {\n  ${text}\n}\n`;

it.each([
  ['a method of lists', 'interface ReadonlyArray<T> { first(): T }', 'first for every ReadonlyArray'],
  ['a property of texts', 'interface String { domain: string }', 'domain for every String'],
  ['a function of a class', 'interface ObjectConstructor { known(a: object): string }', 'known for every'],
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

it('accepts members of what the language does not have, and interfaces of the module', async () => {
  expect(await found(inGlobal('interface Window { config: string }'))).toBeUndefined();
  expect(await found('interface Array<T> { first(): T }')).toBeUndefined();
});
