import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachedSources } from '../../../src/repair/syntax/imports.ts';
import { createRepo } from '../../support/repair-repo.ts';

describe('reachedSources', () => {
  it('finds files in every spelling of an import', () => {
    const root = createRepo({
      'a.test.js': `import "./it's.js";\nimport './it\\'s too.js';\nawait import(\`./late.js\`);\nawait import(\`./\${name}.js\`);\n`,
      "it's.js": '',
      "it's too.js": '',
      'late.js': '',
      '${name}.js': '',
    });
    expect(reachedSources(root, 'a.test.js').map(({ file }) => file)).toEqual([
      "it's.js",
      "it's too.js",
      'late.js',
    ]);
  });

  it('follows relative imports, aliases, the package itself and its workspace, nearest first', () => {
    const root = createRepo({
      'package.json': { name: 'subject', exports: { './self': './dist/self.js' } },
      'tsconfig.json': '{ /* paths */ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] }, }, }',
      'test/a.test.ts': `import { a } from '../src/a.js';\nimport '#lib/alias';\nimport 'subject/self';\nimport 'other';\nimport fs from 'node:fs';\n`,
      'src/a.ts': "export * from './deep';\nconst late = () => import('./late.mjs');\n",
      'src/deep/index.ts': "const old = require('../old.cjs');\n",
      'src/late.mjs': '',
      'src/old.cjs': "require('./a');\n",
      'src/self.ts': '',
      'lib/alias.ts': '',
      'src/unused.ts': '',
      'packages/other/package.json': { name: 'other', main: 'dist/index.js' },
      'packages/other/src/index.ts': '',
    });
    symlinkSync(join(root, 'packages/other'), join(root, 'node_modules/other'));
    expect(reachedSources(root, 'test/a.test.ts')).toEqual([
      { file: 'src/a.ts', depth: 1 },
      { file: 'lib/alias.ts', depth: 1 },
      { file: 'src/self.ts', depth: 1 },
      { file: 'packages/other/src/index.ts', depth: 1 },
      { file: 'src/deep/index.ts', depth: 2 },
      { file: 'src/late.mjs', depth: 2 },
      { file: 'src/old.cjs', depth: 3 },
    ]);
  });
});
