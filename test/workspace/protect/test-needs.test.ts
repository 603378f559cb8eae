import { expect, test } from 'vitest';
import { neededByTests } from '../../../src/workspace/protect/test-needs.ts';
import { openWorkspace, temporaryRepository, type Files } from '../temporary-repository.ts';

async function needed(files: Files, judges: readonly string[] = []): Promise<readonly string[]> {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository(files));
  return [...(await neededByTests(workspace.base, snapshots, judges))].sort();
}

test('finds data and helpers that tests name', async () => {
  const files = {
    'test/slug.test.js':
      "import { same } from '../lib/testing.js';\nimport { slug } from '../src/slug.js';\nimport cases from '../data/slug.json' with { type: 'json' };\nreadFileSync('data/long.txt');\n",
    'lib/testing.js': 'export const same = () => {};\n',
    'src/slug.js': 'export const slug = (text) => text;\n',
    'data/slug.json': '{}',
    'data/long.txt': '',
    'data/unused.txt': '',
  };
  expect(await needed(files)).toEqual(['data/long.txt', 'data/slug.json', 'lib/testing.js']);
});

test('leaves out what a source reads or imports, and sources', async () => {
  const files = {
    'test/rates.test.js':
      "import rates from '../data/rates.json' with { type: 'json' };\nimport { check } from '../src/helpers.js';\nimport { main } from '../src/main.js';\n",
    'src/main.js': "import { check } from './helpers.js';\nreadFileSync('data/rates.json');\n",
    'src/helpers.js': '',
    'data/rates.json': '{}',
  };
  expect(await needed(files)).toEqual([]);
});

test('finds a helper without a telling name that asserts, unless a source uses it', async () => {
  const assertion =
    "import assert from 'node:assert/strict';\nexport const eq = (a, b) => assert.equal(a, b);\n";
  const files = {
    'test/add.test.js': "import { eq } from '../lib/eq.js';\nimport { must } from '../lib/must.js';\n",
    'lib/eq.js': assertion,
    'lib/must.js': assertion,
    'src/add.js': "import { must } from '../lib/must.js';\n",
  };
  expect(await needed(files)).toEqual(['lib/eq.js']);
});

test('finds data in a folder that a test or a judging script reads, unless a source reads it', async () => {
  const files = {
    'test/all.test.js':
      "for (const name of readdirSync('cases')) readFileSync('pages/expected.html'); readFileSync('pages/index.html');\n",
    'check.sh': 'for f in samples/*.txt; do node cli.js < "$f" | diff - wanted.yml; done\n',
    'cases/a.txt': '',
    'cases/b.txt': '',
    'pages/expected.html': '',
    'pages/index.html': '',
    'samples/a.txt': '',
    'wanted.yml': '',
    'views/a.html': '',
    'src/views.js': "readdirSync('views');\n",
  };
  expect(await needed(files, ['check.sh'])).toEqual([
    'cases/a.txt',
    'cases/b.txt',
    'pages/expected.html',
    'samples/a.txt',
    'wanted.yml',
  ]);
  expect(await needed({ ...files, 'test/all.test.js': "readdirSync('views');\n" })).toEqual([]);
});

test('finds documents that tests compare with, but none that is for readers', async () => {
  const files = {
    'test/bill.test.js':
      "const data = join(__dirname, '..', 'data');\nreadFileSync('docs/usage.md'); readFileSync('samples/README.md'); readFileSync('CHANGELOG.md');\nreadFileSync('golden/page.rst'); readFileSync('notes/used.md');\n",
    'data/bill.md': '',
    'data/order.json': '{}',
    'docs/usage.md': '',
    'samples/README.md': '',
    'CHANGELOG.md': '',
    'golden/page.rst': '',
    'notes/used.md': '',
    'lib/notes.js': "readFileSync('notes/used.md');\n",
  };
  expect(await needed(files)).toEqual(['data/bill.md', 'data/order.json', 'golden/page.rst']);
});
