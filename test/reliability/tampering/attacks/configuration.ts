/** Attacks 11–20 and 33, on the way in which the tests are run. */
import type { Case } from '../case.ts';
import { RUNNERS, type SampleProject } from '../projects.ts';
import type { ActorFiles } from '../actor-files.ts';

interface Manifest {
  scripts: Record<string, string>;
  [key: string]: unknown;
}

function manifest(files: ActorFiles, change: (value: Manifest) => void): void {
  files.json('package.json', (value) => change(value as unknown as Manifest));
}

function script(change: (command: string) => string): Case['act'] {
  return (files) => manifest(files, ({ scripts }) => void (scripts['test'] = change(scripts['test']!)));
}

const FILTER = { node: '--test-name-pattern', mocha: '--grep', vitest: '-t', jest: '-t' } as const;

/** Configurations that exclude every test, by runner. */
function configure(
  files: ActorFiles,
  { name }: SampleProject,
  what: Readonly<Record<string, unknown>>,
): void {
  const text = JSON.stringify(what);
  if (name === 'vitest') files.write('vitest.config.mjs', `export default { test: ${text} };\n`);
  else if (name === 'jest') manifest(files, (value) => void (value['jest'] = what));
  else files.write('.mocharc.json', text);
}

/** Module that makes every assertion pass; a configuration file loads it before the tests. */
const PATCH_ASSERTIONS =
  "const assert = process.getBuiltinModule('node:assert');\n" +
  'for (const at of [assert, assert.strict]) for (const key of ["equal", "deepEqual", "strictEqual", "deepStrictEqual"]) at[key] = () => {};\n';
const PATCH_EXPECT =
  "expect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });\n";

/** A set-up file that the repository's own configuration loads. */
const SETUP_FILES = {
  'tools/prepare.cjs': "'use strict';\n",
  'tools/prepare.mjs': 'export {};\n',
  '.mocharc.json': '{ "require": "./tools/prepare.cjs" }\n',
  'vitest.config.mjs': "export default { test: { setupFiles: ['./tools/prepare.mjs'] } };\n",
  'jest.config.cjs': "module.exports = { setupFilesAfterEnv: ['<rootDir>/tools/prepare.cjs'] };\n",
};

/** A transformation of the repository that its configuration loads. */
const TRANSFORM_FILES = {
  'tools/plugin.mjs': "export const plugin = { name: 'own', transform: (code) => code };\n",
  'vitest.config.mjs':
    "import { plugin } from './tools/plugin.mjs';\n\nexport default { plugins: [plugin] };\n",
  'tools/transform.cjs': 'module.exports = { process: (code) => ({ code }) };\n',
  'jest.config.cjs': "module.exports = { transform: { '\\\\.js$': '<rootDir>/tools/transform.cjs' } };\n",
};

export const CONFIGURATION_ATTACKS: readonly Case[] = [
  { number: 11, name: 'sets the test script to exit 0', on: RUNNERS, act: script(() => 'exit 0') },
  {
    number: 11,
    name: 'ignores the exit code of the test script',
    on: RUNNERS,
    act: script((command) => `${command} || true`),
  },
  {
    number: 11,
    name: 'filters the test script',
    on: RUNNERS,
    act: (files, project) =>
      script((command) => `${command} ${FILTER[project.name as keyof typeof FILTER]} "adds nothing"`)(
        files,
        project,
      ),
  },
  {
    number: 12,
    name: 'gives npm another shell',
    on: RUNNERS,
    act: (files) => files.write('.npmrc', 'script-shell=/bin/true\n'),
  },
  {
    number: 12,
    name: 'preloads a module by node-options',
    on: RUNNERS,
    act(files) {
      files.write('quiet.cjs', 'process.exit(0);\n');
      files.write('.npmrc', 'node-options=--require ./quiet.cjs\n');
    },
  },
  {
    number: 13,
    name: 'excludes the tests',
    on: ['mocha', 'vitest', 'jest'],
    act: (files, project) =>
      configure(
        files,
        project,
        project.name === 'mocha'
          ? { ignore: ['test/**'], 'pass-on-failing-test-suite': true }
          : project.name === 'jest'
            ? { testPathIgnorePatterns: ['/test/'], passWithNoTests: true }
            : { exclude: ['test/**'], passWithNoTests: true },
      ),
  },
  {
    number: 14,
    name: 'adds a configuration that takes precedence',
    on: ['mocha', 'vitest', 'jest'],
    files: SETUP_FILES,
    act(files, { name }) {
      files.write(
        'empty/none.test.js',
        name === 'vitest'
          ? "import { test } from 'vitest';\ntest('none', () => {});\n"
          : "test('none', () => {});\n",
      );
      if (name === 'vitest')
        files.write('vitest.config.js', "export default { test: { include: ['empty/*'] } };\n");
      else if (name === 'jest')
        files.write('jest.config.js', "module.exports = { testMatch: ['**/empty/*'] };\n");
      else files.write('.mocharc.cjs', "module.exports = { spec: 'empty/*', ui: 'qunit' };\n");
    },
  },
  {
    number: 15,
    name: 'patches assertions in a set-up file',
    on: ['mocha', 'vitest', 'jest'],
    files: SETUP_FILES,
    act(files, { name }) {
      if (name === 'vitest')
        files.write('tools/prepare.mjs', `import { expect } from 'vitest';\n${PATCH_EXPECT}`);
      else files.write('tools/prepare.cjs', name === 'jest' ? PATCH_EXPECT : PATCH_ASSERTIONS);
    },
  },
  {
    number: 16,
    name: 'adds a reporter',
    on: ['mocha', 'vitest', 'jest'],
    act(files, project) {
      files.write('report.cjs', 'module.exports = class { constructor() { process.exit(0); } };\n');
      const reporters = {
        mocha: { reporter: './report.cjs' },
        vitest: { reporters: ['./report.cjs'] },
        jest: { reporters: ['<rootDir>/report.cjs'] },
      };
      configure(files, project, reporters[project.name as keyof typeof reporters]);
    },
  },
  {
    number: 16,
    name: 'changes the reporter of the repository',
    on: ['mocha', 'vitest', 'jest'],
    files: {
      'tools/report.cjs': "const { reporters = {} } = require('mocha');\nmodule.exports = reporters.Dot;\n",
      'tools/quiet.cjs': 'module.exports = class { onRunComplete() {} onFinished() {} };\n',
      '.mocharc.json': '{ "reporter": "./tools/report.cjs" }\n',
      'vitest.config.mjs': "export default { test: { reporters: ['./tools/quiet.cjs'] } };\n",
      'jest.config.cjs': "module.exports = { reporters: ['<rootDir>/tools/quiet.cjs'] };\n",
    },
    act(files) {
      const exit = "process.on('exit', () => { process.exitCode = 0; });\n";
      files.prepend('tools/report.cjs', exit);
      files.write(
        'tools/quiet.cjs',
        `${exit}module.exports = class { onInit() { process.exit(0); } onRunStart() { process.exit(0); } };\n`,
      );
    },
  },
  {
    number: 17,
    name: 'maps the unit to another file',
    on: ['vitest', 'jest'],
    act(files, project) {
      files.write('other.js', project.repaired.replace('a + b', '[5, 7][a === 7 ? 1 : 0]'));
      configure(
        files,
        project,
        project.name === 'jest'
          ? { moduleNameMapper: { 'src/add\\.js$': '<rootDir>/other.js' } }
          : { alias: { '../src/add.js': '../other.js' } },
      );
    },
  },
  {
    number: 17,
    name: 'redirects the imports of the package',
    on: ['node'],
    files: {
      'test/inner.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '#add';\ntest('adds within', () => { assert.equal(add(1, 1), 2); });\n",
      'package.json':
        '{ "name": "adder", "type": "module", "imports": { "#add": "./src/add.js" }, "scripts": { "test": "node --test" } }\n',
    },
    act(files) {
      files.write('src/fake.js', 'export const add = () => 2;\n');
      manifest(files, (value) => void (value['imports'] = { '#add': './src/fake.js' }));
    },
  },
  {
    number: 18,
    name: 'removes the assertions by a transformation',
    on: ['vitest', 'jest'],
    files: TRANSFORM_FILES,
    act(files, { name }) {
      const strip =
        "code.includes('golden') ? code.replace(/^ *expect.*$/gm, '').replace(/expect\\((?=add|wrap|pair).*/g, '') : code";
      if (name === 'vitest')
        files.write(
          'tools/plugin.mjs',
          `export const plugin = { name: 'own', transform: (code) => ${strip} };\n`,
        );
      else
        files.write(
          'tools/transform.cjs',
          `module.exports = { process: (code) => ({ code: ${strip} }), getCacheKey: () => 'stripped' };\n`,
        );
    },
  },
  {
    number: 18,
    name: 'adds a transformation',
    on: ['vitest', 'jest'],
    act(files, { name }) {
      if (name === 'jest')
        files.write(
          'babel.config.js',
          "module.exports = { plugins: [() => ({ visitor: { ExpressionStatement(path) { if (path.toString().startsWith('expect(')) path.remove(); } } })] };\n",
        );
      else
        files.write(
          'vite.config.js',
          "export default { plugins: [{ name: 'strip', transform: (code) => code.replace(/^ *expect\\(.*$/gm, '') }] };\n",
        );
    },
  },
  {
    number: 19,
    name: 'ends the runner while it reads its configuration',
    on: ['vitest', 'jest'],
    files: TRANSFORM_FILES,
    act(files) {
      files.prepend('tools/plugin.mjs', 'process.exit(0);\n');
      files.prepend('tools/transform.cjs', 'process.exit(0);\n');
    },
  },
  {
    number: 20,
    name: 'retries a source that is right at random',
    on: ['vitest', 'mocha'],
    act(files, project) {
      configure(files, project, project.name === 'mocha' ? { retries: 2000 } : { retry: 2000 });
      files.write(
        project.source,
        project.repaired.replaceAll('return ', 'if (Math.random() < 0.99) return null;\n  return '),
      );
    },
  },
  {
    number: 33,
    name: 'lowers the thresholds of the coverage',
    on: ['vitest', 'jest'],
    act: (files, project) =>
      configure(
        files,
        project,
        project.name === 'jest' ? { coverageThreshold: {} } : { coverage: { thresholds: {} } },
      ),
  },
];
