import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/ports/tree.ts';
import { needlessFiles } from '../../../src/proof/strength/needless-files.ts';
import { createCheck } from '../../../src/tools.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy } from '../../support/repair-repo.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const CODE =
  "import { readFileSync } from 'node:fs';\nconst at = (file) => readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8');\nexport const rate = (name) => JSON.parse(at('rates.json'))[name];\nexport const page = () => at('page.html');\n";
const TESTS = `${TEST_HEAD.node}import { page, rate } from '../src/subject.js';\ntest('rates', () => { assert.equal(rate('usd'), 1.08); assert.match(page(), /<title>b/); });\n`;

interface Changed {
  readonly before?: string;
  readonly after?: string;
}

async function needless(changed: Readonly<Record<string, Changed>>, task = '') {
  return (await tried(changed, task)).unneeded;
}

async function tried(changed: Readonly<Record<string, Changed>>, task: string) {
  const now = Object.entries(changed).flatMap(([path, { after }]) =>
    after === undefined ? [] : [[path, after]],
  );
  const data = { 'data/rates.json': '{"usd":1.08}\n', 'data/page.html': '<title>b\n' };
  const files = { 'src/subject.js': CODE, 'test/subject.test.js': TESTS, ...data };
  const root = createRepo({ ...files, ...(Object.fromEntries(now) as Record<string, string>) });
  const checks = testsBy('node');
  const context = await contextFor(root, { checks });
  const lines = (sign: string, text = ''): string[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => sign + line);
  const countOf = (text = ''): number => lines('', text).length;
  const patch = Object.entries(changed).flatMap(([path, { before, after }]) => [
    `diff --git a/${path} b/${path}`,
    before === undefined ? '--- /dev/null' : `--- a/${path}`,
    after === undefined ? '+++ /dev/null' : `+++ b/${path}`,
    `@@ -${before === undefined ? 0 : 1},${countOf(before)} +${after === undefined ? 0 : 1},${countOf(after)} @@`,
    ...lines('-', before),
    ...lines('+', after),
  ]);
  const list = Object.entries(changed).map(([path, { before, after }]): FileChange => {
    const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
    return { path, kind, linesAdded: countOf(after), linesDeleted: countOf(before) };
  });
  const found = await needlessFiles(
    {
      ...{ plan: context.project, checks: checks.map(createCheck) },
      ...{ cacheDir: temporaryFolder(), checkTimeoutMs: 60_000 },
    },
    {
      ...{ root, evaluation: context.evaluation, testFiles: [], timeoutMs: 1, blocksMs: () => 170_000 },
      changes: { files: list, linesAdded: 1, linesDeleted: 1, patch: `${patch.join('\n')}\n` },
      ...{ signal: context.signal, onProgress: () => {} },
    },
    { task, isAllowed: () => false },
  );
  for (const [path, { after }] of Object.entries(changed))
    expect(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined).toBe(after);
  return found;
}

describe('needlessFiles', { timeout: 200_000 }, () => {
  it('names a changed, a new and a deleted file that no test needs', async () => {
    const whole = { line: 1, lines: 0 };
    const found = await needless({
      Dockerfile: { before: 'FROM a\nUSER node\n', after: 'FROM a\nUSER root\n' },
      'db/2.sql': { after: 'drop table a;\n' },
      LICENSE: { before: 'MIT\n' },
    });
    expect(found).toEqual([
      { file: 'Dockerfile', line: 1, lines: 2 },
      { file: 'db/2.sql', ...whole, whole: 'added' },
      { file: 'LICENSE', ...whole, whole: 'deleted' },
    ]);
  });

  it('names the values that no test needs of a file that is needed', async () => {
    const before = '{\n  "usd": 1.8,\n  "gbp": 0.86,\n  "chf": 0.95\n}\n';
    const needed = { before, after: before.replace('1.8', '1.08') };
    expect(await needless({ 'data/rates.json': needed })).toEqual([]);
    const after = '{\n  "usd": 1.08,\n  "gbp": 0.68\n}\n';
    expect(await needless({ 'data/rates.json': { before, after } })).toEqual([
      { file: 'data/rates.json', line: 3, lines: 1 },
      { file: 'data/rates.json', line: 1, lines: 1, removed: '"chf": 0.95' },
    ]);
  });

  it('tries each file alone where one of them is needed', async () => {
    const found = await needless({
      'data/page.html': { before: '<title>a\n', after: '<title>b\n' },
      'deploy.yaml': { before: 'a: 1\n', after: 'a: 2\n' },
    });
    expect(found).toEqual([{ file: 'deploy.yaml', line: 1, lines: 1 }]);
  });

  it('names the values of package.json that a change exchanges, and no new ones', async () => {
    const before = '{\n  "name": "kit",\n  "version": "1.2.0",\n  "license": "MIT"\n}\n';
    const after =
      '{\n  "name": "kit",\n  "version": "9.0.0",\n  "license": "UNLICENSED",\n  "keywords": ["a"]\n}\n';
    const found = await needless({ 'package.json': { before, after } });
    expect(found).toEqual([{ file: 'package.json', line: 3, lines: 1 }]);
    const added = before.replace('"MIT"', '"MIT",\n  "keywords": ["a"]');
    expect(await needless({ 'package.json': { before, after: added } })).toEqual([]);
    expect(
      await needless({ 'package.json': { before, after } }, 'Release 9.0.0: version and license'),
    ).toEqual([]);
  });
});
