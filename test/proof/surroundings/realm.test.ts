import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRealmQuestion } from '../../../src/proof/surroundings/realm.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST =
  "test('names the file', () => { expect(require('../src/load.js')('none.json')).toEqual({ file: 'none.json' }); });\n";
const loading = (caught: string): string =>
  `const fs = require('node:fs');\nmodule.exports = (file) => {\n  try {\n    return JSON.parse(fs.readFileSync(file, 'utf8'));\n  } catch (error) {\n    ${caught}\n  }\n};\n`;

/** What is found where the handler of errors was changed. */
async function found(now: string, before = 'return {};'): Promise<readonly string[]> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'commonjs' },
    'src/load.js': loading(now),
    'test/load.test.js': TEST,
  });
  linkModules(root, ['jest']);
  const check = createCheck(planFor('jest'));
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 60_000 },
    signal: new AbortController().signal,
  };
  const { tests } = await check.run(request);
  expect(tests.map(({ status }) => status)).toEqual(['passed']);
  const tampering = await findRealmQuestion(check, {
    ...{ request, sources: ['src/load.js'], flipped: tests, judges: ['test/load.test.js'] },
    baseText: () => Promise.resolve(loading(before)),
    isJudge: (path) => path.startsWith('test/'),
  });
  expect(readFileSync(join(root, 'src/load.js'), 'utf8')).toBe(loading(now));
  return tampering.map(({ detail }) => detail);
}

it('names a question that only a realm of its own answers so', { timeout: 100_000 }, async () => {
  const [detail] = await found('return error instanceof Error ? {} : { file };');
  expect(detail).toContain('src/load.js:6 asks "error instanceof Error"');
});

it.each([
  'return error instanceof Error ? { file } : { file };',
  'if (error instanceof SyntaxError) throw error;\n    return { file };',
  'return { file };',
])('has nothing to say about %s', { timeout: 100_000 }, async (caught) => {
  expect(await found(caught)).toEqual([]);
});
