import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { usedUpStores } from '../../../src/proof/strength/used-up-stores.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** What a new text of a file, in the place of `export {};`, takes out of lists, and the read in its place. */
function takenIn(text: string) {
  const root = temporaryFolder();
  const lines = text.split('\n');
  writeFileSync(join(root, 'a.js'), `${text}\n`);
  const added = lines.map((line) => `+${line}`).join('\n');
  const patch = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,1 +1,${lines.length} @@\n-export {};\n${added}\n`;
  const request = { root, changes: { patch, files: [] }, testFiles: [] as string[] };
  return usedUpStores(changedSources(request as unknown as StrengthRequest)).map(
    ({ added: call, edit }) => [call, edit.replacement] as const,
  );
}

it.each([
  [
    'a constant around the function',
    'const turns = [1, 1, 1];\nexport const next = () => turns.pop() ?? 0;',
    ['turns.pop()', 'turns.at(-1)'],
  ],
  [
    'a private field',
    'export class Queue {\n  #marks = new Array(8).fill({ seen: true });\n  send() { return this.#marks.shift(); }\n}',
    ['this.#marks.shift()', 'this.#marks.at(0)'],
  ],
  [
    'a property of the object',
    'export class Queue {\n  constructor() { this.left = Array.from({ length: 3 }); }\n  send() { return this.left.pop(); }\n}',
    ['this.left.pop()', 'this.left.at(-1)'],
  ],
])('finds what is used up of %s', (_, text, taken) => {
  expect(takenIn(text)).toEqual([taken]);
});

it.each([
  ['a list of the call', 'export const next = (a) => {\n  const open = [a];\n  return open.pop();\n};'],
  [
    'a list that others fill',
    'const open = [];\nexport const put = (a) => open.push(a);\nexport const next = () => open.shift();',
  ],
  ['a part of a text', "export const ending = (name) => name.split('.').pop();"],
])('leaves %s alone', (_, text) => {
  expect(takenIn(text)).toEqual([]);
});
