import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { repositoryWith, writeFiles } from '../support/repositories.ts';

test('a bug in a source that the tests reach only through an ignored build is repaired and confirmed after a build', async () => {
  const root = repositoryWith({
    '.gitignore': 'node_modules\n/index.js\n',
    'package.json': {
      type: 'module',
      scripts: { build: "node -e \"fs.copyFileSync('lib/add.js', 'index.js')\"", test: 'node --test' },
    },
    'lib/add.js': 'export const add = (a, b) => a - b;\n',
    'test/add.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../index.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  });
  writeFiles(root, { 'index.js': 'export const add = "an old build";\n' });
  const run = await ralphRun(root, ['--command', "sed -i 's/a - b/a + b/' lib/add.js", '-i', '1']);
  expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  expect(run.verdict.reason).toContain('npm run build && npm test');
  expect(readFileSync(join(root, 'lib/add.js'), 'utf8')).toContain('a + b');
});
