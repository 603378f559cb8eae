import { chmodSync, existsSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import type { ProjectPlan } from '../../../../src/ports/plan.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith, installed } from '../package-folder.ts';

/** A program that leaves a file behind if it is not stopped. */
const RUNS = "require('node:fs').writeFileSync('ran.txt', 'ran');\n";

const WRAPPER = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const [mode, how] = process.argv.slice(2);
const call = (file, ...args) => process.exit(spawnSync('node', [join('node_modules', file), ...args], { stdio: 'inherit' }).status);
process.env.KIT_MODE = mode;
if (mode === 'test') require('jest').run(['--config', JSON.stringify({ roots: [process.cwd() + '/src'] })]);
if (how === 'strict') { spawnSync('node', ['node_modules/mocha/bin/mocha.js']); process.exit(1); }
if (how === 'limit') call('c8/bin/c8.js', 'node_modules/mocha/bin/mocha.js');
if (how === 'own') { spawnSync('node', ['node_modules/mocha/bin/mocha.js']); call('../size.js'); }
if (mode === 'unit') call('mocha/bin/mocha.js', '--require', join(process.cwd(), 'setup.js'));
if (how === 'nested') call('kit-scripts/node_modules/eslint/bin/eslint.js', 'src');
if (mode === 'lint') call('eslint/bin/eslint.js', 'src', '--fix');
if (mode === 'specs') { console.error('Script does not exist: specs'); process.exit(1); }
if (mode === 'types') { console.error('No such folder: types'); process.exit(1); }
if (mode === 'check') require('node:fs').writeFileSync('checked.txt', 'by itself');
`;

const FILES: Files = {
  ...installed('jest@29.0.0', 'mocha@11.0.0', 'eslint@9.30.0', 'c8', 'kit-scripts'),
  'node_modules/jest/jest.js': `exports.run = () => { ${RUNS} };\n`,
  'node_modules/jest/package.json': {
    name: 'jest',
    version: '29.0.0',
    main: 'jest.js',
    bin: './bin/jest.js',
  },
  'node_modules/mocha/bin/mocha.js': RUNS,
  'node_modules/eslint/bin/eslint.js': RUNS,
  'node_modules/kit-scripts/cli.js': WRAPPER,
  'node_modules/c8/bin/c8.js': `const { spawnSync } = require('node:child_process');
process.exit(spawnSync('node', process.argv.slice(2)).status);`,
  'size.js': '',
  'eslint.config.js': '',
};

function repository(scripts: Record<string, string>): string {
  const root = folderWith({ 'package.json': { scripts }, ...FILES });
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync('../kit-scripts/cli.js', join(root, 'node_modules/.bin/kit-scripts'));
  chmodSync(join(root, 'node_modules/kit-scripts/cli.js'), 0o755);
  return root;
}

async function detect(root: string): Promise<ProjectPlan> {
  const openSandbox = () => Promise.resolve(undefined);
  return detectProject({ root, packageDir: '.', config: {}, openSandbox });
}

test('the tools that a wrapper starts become checks with its arguments and variables, and do not run', async () => {
  const root = repository({ test: 'A=1 kit-scripts unit', lint: 'kit-scripts lint' });
  expect((await detect(root)).checks).toMatchObject([
    {
      tool: 'mocha',
      version: '11.0.0',
      args: ['--require', './setup.js'],
      env: { A: '1', KIT_MODE: 'unit' },
    },
    { tool: 'eslint', args: ['src'], source: 'package.json#scripts.lint' },
  ]);
  expect(existsSync(join(root, 'ran.txt'))).toBe(false);
});

test('a tool that the wrapper brings itself is the one that the check runs', async () => {
  const root = repository({ test: 'kit-scripts unit', lint: 'kit-scripts lint nested' });
  const own = 'node_modules/kit-scripts/node_modules/eslint';
  mkdirSync(join(root, own, 'bin'), { recursive: true });
  const bin = { eslint: './bin/eslint.js' };
  writeFileSync(join(root, own, 'package.json'), JSON.stringify({ name: 'eslint', version: '8.57.0', bin }));
  writeFileSync(join(root, own, 'bin/eslint.js'), RUNS);
  expect((await detect(root)).checks).toMatchObject([
    { tool: 'mocha', version: '11.0.0', bin: 'node_modules/mocha/bin/mocha.js' },
    { tool: 'eslint', version: '8.57.0', bin: `${own}/bin/eslint.js`, args: ['src'] },
  ]);
});

test('jest in the process of the wrapper is stopped, and its inline configuration names no folder', async () => {
  const root = repository({ test: 'kit-scripts test' });
  expect((await detect(root)).checks).toMatchObject([
    { tool: 'jest', args: ['--config', '{"roots":["<rootDir>/src"]}'], env: { KIT_MODE: 'test' } },
  ]);
  expect(existsSync(join(root, 'ran.txt'))).toBe(false);
});

test.each([
  ['starts checks only', 'kit-scripts unit', []],
  ['calls them by another script', 'npm run inner', []],
  ['stands beside another command', 'kit-scripts unit && node size.js', ['node size.js']],
  ['fails in what it does by itself', 'kit-scripts unit strict', undefined],
  ['starts a program that needs what the tests write', 'kit-scripts unit limit', undefined],
  ['starts a program of the repository', 'kit-scripts unit own', undefined],
  ['ends with the runner in its own process', 'kit-scripts test', undefined],
])('the commands beside the checks where the wrapper of the test command %s', async (_, line, left) => {
  const plan = await detect(repository({ test: line, inner: 'kit-scripts unit', lint: 'kit-scripts lint' }));
  expect(plan.checks[0]).toMatchObject({
    kind: 'tests',
    tool: line === 'kit-scripts test' ? 'jest' : 'mocha',
  });
  const { steps, observedSteps } = plan.testCommand!;
  const known = observedSteps?.filter(({ check }) => check === undefined).map(({ command }) => command);
  expect([steps, known]).toEqual([undefined, left]);
});

test('a wrapper that starts no known tool is judged by its exit code', async () => {
  const plan = await detect(repository({ test: 'kit-scripts check' }));
  expect(plan.checks).toMatchObject([{ tool: 'command', args: ['npm test'] }]);
});

test('a script that its wrapper does not have is no check of lint, and the wrapper is quoted', async () => {
  const plan = await detect(repository({ test: 'kit-scripts unit', lint: 'kit-scripts specs' }));
  expect(plan.checks.map(({ kind }) => kind)).toEqual(['tests']);
  expect(plan.notes).toContain(
    'Lint: "kit-scripts specs" (package.json#scripts.lint) is no check; it says: Script does not exist: specs',
  );
  expect(plan.testCommand).toMatchObject({ observedSteps: [{ check: 'tests' }] });
});

test('a script that fails for another reason stays a check of lint', async () => {
  const plan = await detect(repository({ test: 'kit-scripts unit', lint: 'kit-scripts types' }));
  expect(plan.checks.map(({ kind }) => kind)).toEqual(['tests', 'lint']);
});

test('without a sandbox to open, no wrapper is started', async () => {
  const root = repository({ test: 'kit-scripts check' });
  const { checks } = await detectProject({ root, packageDir: '.', config: {} });
  expect(checks).toMatchObject([{ args: ['npm test'] }]);
  expect(existsSync(join(root, 'checked.txt'))).toBe(false);
});
