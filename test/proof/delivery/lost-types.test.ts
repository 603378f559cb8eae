import { expect, it } from 'vitest';
import { findLostType } from '../../../src/proof/delivery/lost-types.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TYPES =
  'export function sign(text: string): string;\nexport function month(date: Date): string;\nexport class Queue<T> { push(item: T): number; }\n';
const CODE = 'export function month(date) {}\n';

interface Given {
  readonly manifest?: object;
  readonly isTypeChecked?: boolean;
  /** The changed source. */
  readonly code?: string;
}

/** The sentence on changed declarations, beside a changed source. */
async function found(now: string, { manifest, isTypeChecked = false, code = CODE }: Given = {}) {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': manifest ?? { name: 'kit', types: 'types.d.ts' },
    'types.d.ts': now,
    'src/a.js': code,
  });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const baseText = () => Promise.resolve(TYPES);
  const files = { sources: code === '' ? [] : ['src/a.js'], data: ['types.d.ts'] };
  return findLostType({ request, ...files, baseText, isTypeChecked });
}

it('names a type that declarations no longer export', async () => {
  const sentence = await found(TYPES.replace(/export class.*\n/, ''));
  expect(sentence).toContain('types.d.ts no longer exports Queue');
  expect(sentence).toContain('--allow types.d.ts permits it');
});

it('names a declaration that is another one for the same code', async () => {
  const now = TYPES.replace('sign(text: string): string', 'sign(text: string): string | null');
  expect(await found(now)).toContain('declares sign otherwise than before');
  expect(await found(now, { code: 'export function sign(text) { return null; }\n' })).toBeUndefined();
  expect(await found(now, { isTypeChecked: true })).toBeUndefined();
  expect(await found(now, { code: '' })).toBeUndefined();
  expect(await found(now, { manifest: { name: 'kit', private: true } })).toBeUndefined();
});

it('names any in the place of a type', async () => {
  expect(await found(TYPES.replace('date: Date', 'date: any'))).toContain('declares month with any');
});

it.each([
  ['a new declaration', `${TYPES}export function year(date: Date): number;\n`],
  ['the declaration of changed code', TYPES.replace('date: Date', 'date: Date, zone?: string')],
  ['comments and layout', TYPES.replace('export class', '/** A queue. */\nexport  class')],
])('accepts %s', async (_, now) => {
  expect(await found(now)).toBeUndefined();
});

const SOURCE = 'export interface Options {\n  readonly a?: string;\n}\n\nexport const b = 1;\n';

/** The sentence on a changed entry in TypeScript. */
async function inEntry(before: string, now: string, file = 'src/index.ts') {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { name: 'kit', main: './dist/index.js' }, [file]: now });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const baseText = () => Promise.resolve(before);
  return findLostType({ request, sources: [file], data: [], baseText, isTypeChecked: true });
}

it('names a type that the entry no longer exports', async () => {
  const before = "export { a, type Options } from './a.ts';\n";
  expect(await inEntry(before, "export { a } from './a.ts';\n")).toContain('no longer exports Options');
  expect(await inEntry(before, "export { a } from './a.ts';\n", 'src/inner.ts')).toBeUndefined();
});

it('names a tag by which tools take a declaration away', async () => {
  const marked = SOURCE.replace('export interface', '/** @internal */\nexport interface');
  expect(await inEntry(SOURCE, marked)).toContain('newly marks "export interface Options {" as @internal');
  expect(await inEntry(marked, marked.replace('b = 1', 'b = 2'))).toBeUndefined();
  expect(await inEntry(SOURCE, `${SOURCE}/** @internal */\nexport const c = 2;\n`)).toBeUndefined();
  expect(
    await inEntry(SOURCE, SOURCE.replace('export const', '/** The b. */\nexport const')),
  ).toBeUndefined();
});
