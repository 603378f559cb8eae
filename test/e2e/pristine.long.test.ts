import { describe, expect, it } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { NODE_TEST_FILES, repositoryWith, writeFiles } from '../support/repositories.ts';

const INSTALL = [
  'mkdir -p node_modules/plus',
  `echo '{ "name": "plus", "version": "1.0.0", "type": "module", "main": "index.js" }' > node_modules/plus/package.json`,
  "echo 'export const plus = (a, b) => a + b;' > node_modules/plus/index.js",
].join('; ');
const USE = `printf "import { plus } from 'plus';\\nexport const add = plus;\\nexport const twice = (a) => plus(a, a);\\n" > src/add.js`;

describe('a change that needs more than what is delivered', () => {
  it('is refused if it imports a package that only the working copy has, with the remedy', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const run = await ralphRun(root, ['--command', `${INSTALL}; ${USE}`, '-i', '1']);
    expect(run).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(run.stderr).toContain(
      'in a clean checkout of the change. The attempt installed plus in its working copy',
    );
    expect(run.stderr).toContain('Install it first, then run ralph again.');
  });

  it('is verified if the user has installed the package', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'package.json': { ...(NODE_TEST_FILES['package.json'] as object), dependencies: { plus: '1.0.0' } },
      '.gitignore': 'node_modules/\n',
    });
    writeFiles(root, {
      'node_modules/plus/package.json': { name: 'plus', version: '1.0.0', type: 'module', main: 'index.js' },
      'node_modules/plus/index.js': 'export const plus = (a, b) => a + b;\n',
    });
    const run = await ralphRun(root, ['--command', USE, '-i', '1']);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  });

  it('is refused if the tests read a build that git ignores, and names the build', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      '.gitignore': 'dist/\n',
      'package.json': {
        name: 'adder',
        version: '1.0.0',
        type: 'module',
        scripts: { test: 'node --test', build: 'mkdir -p dist && cp src/add.js dist/add.js' },
      },
      'test/built.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nconst { add } = await import(new URL('../' + ['dist', 'add.js'].join('/'), import.meta.url));\ntest('built', () => assert.equal(add(2, 3), 5));\n",
    });
    const fix = "sed -i 's/a - b/a + b/' src/add.js; npm run build";
    const run = await ralphRun(root, ['--command', fix, '-i', '1']);
    expect(run).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(run.stderr).toMatch(/dist\/add\.js|dist\//);
    expect(run.stderr).toContain('npm run build');
  });
});
