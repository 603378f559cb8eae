import { symlinkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { repositoryWith, writeFiles } from '../support/repositories.ts';

const BUG = 'export const add = (a, b) => a - b;\n';

test('a bug in another package, which the tests read from its ignored build, is repaired and built again', async () => {
  const root = repositoryWith({
    '.gitignore': 'node_modules\ndist\n',
    'package.json': { private: true, workspaces: ['packages/*'] },
    'packages/core/package.json': {
      name: '@x/core',
      type: 'module',
      main: 'dist/index.js',
      scripts: { build: 'mkdir -p dist && cp src/index.js dist/index.js' },
    },
    'packages/core/src/index.js': BUG,
    'packages/app/package.json': {
      name: 'app',
      type: 'module',
      dependencies: { '@x/core': '*' },
      scripts: { test: 'node --test' },
    },
    'packages/app/test/app.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '@x/core';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  });
  writeFiles(root, { 'packages/core/dist/index.js': BUG });
  mkdirSync(join(root, 'node_modules/@x'), { recursive: true });
  symlinkSync('../../packages/core', join(root, 'node_modules/@x/core'));
  const edit = "sed -i 's/a - b/a + b/' ../core/src/index.js";
  const run = await ralphRun(join(root, 'packages/app'), ['--command', edit, '-i', '1']);
  expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  expect(run.verdict.reason).toContain('packages/core/dist is older than the change');
  expect(run.verdict.proof?.strength).toMatchObject({ caught: 2, tried: 2, unneeded: [] });
});
