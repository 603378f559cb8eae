import { describe, expect, it } from 'vitest';
import { likelySources } from '../../../src/repair/localise/likely-sources.ts';
import { createRepo } from '../../support/repair-repo.ts';

const NAMES = Array.from({ length: 30 }, (_, index) => `part${index}`);
const FILES = {
  ...Object.fromEntries(NAMES.map((name) => [`src/${name}.js`, `export const ${name} = 1;\n`])),
  'src/part20.js': "import { deep } from '../lib/deep.js';\nexport const part20 = deep;\n",
  'src/part25.js': 'const other = 1;\nexport default other;\n',
  'lib/deep.js': 'export const deep = 1;\n',
  'src/index.js': NAMES.map((name) => `export * from './${name}.js';\n`).join(''),
  'test/a.test.js': "import { part20, part25 } from '../src/index.js';\npart20 + part25;\n",
};

describe('likelySources', () => {
  it('lists files that declare what the test uses, then their imports, then the nearest', async () => {
    const root = createRepo(FILES);
    expect(await likelySources(root, 'test/a.test.js', { limit: 5 })).toEqual([
      'src/part20.js',
      'src/part25.js',
      'lib/deep.js',
      'src/index.js',
      'src/part0.js',
    ]);
  });

  it('lists everything that the test reaches, nearest first, if that is within the limit', async () => {
    const sources = await likelySources(createRepo(FILES), 'test/a.test.js', { limit: 100 });
    expect(sources.slice(0, 3)).toEqual(['src/index.js', 'src/part0.js', 'src/part1.js']);
    expect(sources).toHaveLength(32);
  });

  it('follows an import of a folder to the main file of its manifest', async () => {
    const root = createRepo({
      'package.json': '{ "name": "tool", "main": "lib/tool.js" }',
      'lib/tool.js': "module.exports = require('./parts.js');\n",
      'lib/parts.js': 'module.exports = 1;\n',
      'index.js': 'throw new Error();\n',
      'test/a.test.js': "const tool = require('../');\n",
    });
    expect(await likelySources(root, 'test/a.test.js', { limit: 5 })).toEqual([
      'lib/tool.js',
      'lib/parts.js',
    ]);
  });
});
