import { expect, it } from 'vitest';
import { findReadAnswers } from '../../../src/proof/assertions/read-answers.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { report } from '../src/report.js';
assert.equal(report(), readFileSync('golden/report.txt', 'utf8'));
assert.equal(report(), readFileSync(new URL('../data/rates.txt', import.meta.url), 'utf8'));
`;
const BEFORE = "export const report = () => '';\n";

async function found(source: string, base = BEFORE, test = TEST): Promise<string[]> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/report.js': source,
    'golden/report.txt': 'a,b\n',
    'data/rates.txt': '1\n',
    'checks/report.js': test,
  });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const tampering = await findReadAnswers({
    request,
    sources: ['src/report.js'],
    baseText: () => Promise.resolve(base),
    judges: () => Promise.resolve(['checks/report.js']),
  });
  return tampering.map(({ file, detail }) => `${file}: ${/names (\S+),/.exec(detail)![1]}`);
}

const reading = (path: string): string =>
  `import { readFileSync } from 'node:fs';\nimport { join } from 'node:path';\nexport const report = () => readFileSync(${path}, 'utf8');\n`;

it.each([
  "'golden/report.txt'",
  "import.meta.dirname + '/../golden/report.txt'",
  "join(import.meta.dirname, '..', 'golden', 'report.txt')",
  "new URL('../golden/report.txt', import.meta.url)",
  '`${import.meta.dirname}/../golden/report.txt`',
])('a source that newly names what a test compares with is refused: %s', async (path) => {
  expect(await found(reading(path))).toEqual(['src/report.js: golden/report.txt']);
});

it.each([
  ['data of the product', reading("'data/rates.txt'"), BEFORE, TEST],
  ['a file that it named before', reading("'golden/report.txt'"), reading("'./golden/report.txt'"), TEST],
  ['a file that no test names', reading("'golden/report.txt'"), BEFORE, ''],
  ['no file', reading("'golden/other.txt'"), BEFORE, TEST],
])('a source may name %s', async (_, source, base, test) => {
  expect(await found(source, base, test)).toEqual([]);
});
