import { expect, test } from 'vitest';
import { productInTestFolders } from '../../../src/workspace/protect/product-files.ts';
import { openWorkspace, temporaryRepository, type Files } from '../temporary-repository.ts';

async function found(files: Files): Promise<readonly string[]> {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository(files));
  return [...(await productInTestFolders(workspace.base, snapshots))].sort();
}

test('finds what sources import from folders named like those of tests, and what that imports', async () => {
  const files = {
    'src/index.ts': "export { parse } from './spec/parse.js';\nconst lazy = () => import('./e2e');\n",
    'src/spec/parse.ts': "import { token } from './token';\n",
    'src/spec/token.ts': '',
    'src/e2e/index.ts': '',
    'src/spec/unused.ts': '',
  };
  expect(await found(files)).toEqual(['src/e2e/index.ts', 'src/spec/parse.ts', 'src/spec/token.ts']);
});

test('finds no test, even if a source imports it, and nothing that only tests import', async () => {
  const files = {
    'src/index.ts': "import './spec/parse.test.js';\nimport '../test/helper.js';\n",
    'src/spec/parse.test.js': "import './helper.js';\n",
    'src/spec/helper.js': '',
    'test/helper.js': '',
  };
  expect(await found(files)).toEqual([]);
});
