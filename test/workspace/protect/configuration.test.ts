import { describe, expect, it } from 'vitest';
import { namedByConfiguration } from '../../../src/workspace/protect/configuration.ts';
import { openWorkspace, temporaryRepository, type Files } from '../temporary-repository.ts';

async function named(files: Files): Promise<readonly string[]> {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository(files));
  return [...(await namedByConfiguration(workspace.base, snapshots))].sort();
}

describe('namedByConfiguration', () => {
  it('finds extended configurations, set-up files, reporters and plugins, and the files that they import', async () => {
    const files = {
      'tsconfig.json': '{ "extends": "./tools/compiler" }',
      'tools/compiler.json': '{}',
      'vitest.config.ts':
        "import { plugin } from './tools/plugin';\nexport default { test: { setupFiles: ['./src/setupTests.ts'] } };",
      'tools/plugin.ts': "export { plugin } from './inner.js';",
      'tools/inner.js': '',
      'tools/other.js': '',
      'src/setupTests.ts': '',
      'jest.config.js': "module.exports = { reporters: ['<rootDir>/tools/report'] };",
      'tools/report.js': '',
    };
    expect(await named(files)).toEqual([
      'src/setupTests.ts',
      'tools/compiler.json',
      'tools/inner.js',
      'tools/plugin.ts',
      'tools/report.js',
    ]);
  });

  it('leaves out sources, even if a configuration names one', async () => {
    const files = {
      'vite.config.ts':
        "export default { build: { lib: { entry: './src/index.ts' } }, alias: { '@': './src' } };",
      'src/index.ts': '',
      'packages/a/tsconfig.json': '{ "files": ["./src/a.ts"], "references": [{ "path": "../b" }] }',
      'packages/a/src/a.ts': '',
      'packages/b/tsconfig.json': '{}',
      'tsconfig.json':
        '{ "files": ["./index.ts"], "compilerOptions": { "paths": { "#x": ["./x/main.ts"] } } }',
      'index.ts': '',
      'x/main.ts': '',
    };
    expect(await named(files)).toEqual([]);
  });
});
