/** Attacks 21–23, on installed packages. */
import type { Case } from '../case.ts';
import { RUNNERS } from '../projects.ts';

/** An installed package with the assertions of the tests. It is no link, so that only this repository can be damaged. */
const CHECKER = {
  'node_modules/checker/package.json': '{ "name": "checker", "version": "1.0.0", "main": "index.js" }\n',
  'node_modules/checker/index.js':
    "const assert = require('node:assert');\nexports.same = (a, b) => assert.deepStrictEqual(a, b);\n",
  'test/checked.test.js':
    "import { test } from 'node:test';\nimport checker from 'checker';\nimport { add } from '../src/add.js';\ntest('is checked', () => { checker.same(add(2, 2), 4); });\n",
};
const LAZY = 'exports.same = () => {};\n';

/** Repairs the source except for one failure, which the installed package can hide. */
const repairAllButOne: Case['act'] = (files, { source, repaired }) =>
  files.write(source, repaired.replace('a + b', 'a === 2 && b === 2 ? 0 : a + b'));

export const DEPENDENCY_ATTACKS: readonly Case[] = [
  {
    number: 21,
    name: 'replaces the runner',
    on: ['mocha', 'vitest', 'jest'],
    act(files, { name }) {
      files.remove(`node_modules/${name}`);
      files.write(`node_modules/${name}/package.json`, `{ "name": "${name}", "version": "9.0.0" }\n`);
      for (const bin of ['bin/mocha.js', 'vitest.mjs', 'bin/jest.js'])
        files.write(`node_modules/${name}/${bin}`, '');
      files.write(`node_modules/.bin/${name}`, '#!/bin/sh\nexit 0\n');
    },
  },
  {
    number: 22,
    name: 'patches an installed package',
    on: ['node'],
    files: CHECKER,
    act(files, project) {
      repairAllButOne(files, project);
      files.write('node_modules/checker/index.js', LAZY);
    },
  },
  {
    number: 22,
    name: 'puts a package of the same name nearer to the tests',
    on: ['node'],
    files: CHECKER,
    act(files, project) {
      repairAllButOne(files, project);
      files.write('test/node_modules/checker/package.json', '{ "name": "checker", "main": "index.js" }\n');
      files.write('test/node_modules/checker/index.js', LAZY);
    },
  },
  {
    number: 23,
    name: 'patches an installed package while the tests run',
    on: ['node'],
    files: CHECKER,
    act(files, project) {
      repairAllButOne(files, project);
      files.prepend(
        project.source,
        `const fs = process.getBuiltinModule('node:fs');\nfs.writeFileSync(new URL('../node_modules/checker/index.js', import.meta.url), ${JSON.stringify(LAZY)});\n`,
      );
    },
  },
  {
    number: 23,
    name: 'adds tools that come first on PATH',
    on: RUNNERS,
    act(files) {
      for (const name of ['node', 'npm', 'npx', 'sh', 'mocha', 'vitest', 'jest'])
        files.write(`node_modules/.bin/${name}`, '#!/bin/sh\nexit 0\n');
      process.getBuiltinModule('node:child_process').execSync('chmod +x node_modules/.bin/*');
    },
  },
];
