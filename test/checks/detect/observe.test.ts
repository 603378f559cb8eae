import { chmodSync, existsSync, symlinkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import type { ProjectPlan } from '../../../src/ports.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

/** A program that leaves a file behind if it is not stopped. */
const RUNS = "require('node:fs').writeFileSync('ran.txt', 'ran');\n";

const WRAPPER = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const [mode] = process.argv.slice(2);
const call = (file, ...args) => process.exit(spawnSync('node', [join('node_modules', file), ...args], { stdio: 'inherit' }).status);
process.env.KIT_MODE = mode;
if (mode === 'test') require('jest').run(['--config', JSON.stringify({ roots: [process.cwd() + '/src'] })]);
if (mode === 'unit') call('mocha/bin/mocha.js', '--require', join(process.cwd(), 'setup.js'));
if (mode === 'lint') call('eslint/bin/eslint.js', 'src', '--fix');
if (mode === 'check') require('node:fs').writeFileSync('checked.txt', 'by itself');
`;

const FILES: Files = {
  ...installed('jest@29.0.0', 'mocha@11.0.0', 'eslint@9.30.0', 'kit-scripts'),
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

test('jest in the process of the wrapper is stopped, and its inline configuration names no folder', async () => {
  const root = repository({ test: 'kit-scripts test' });
  expect((await detect(root)).checks).toMatchObject([
    { tool: 'jest', args: ['--config', '{"roots":["<rootDir>/src"]}'], env: { KIT_MODE: 'test' } },
  ]);
  expect(existsSync(join(root, 'ran.txt'))).toBe(false);
});

test('a wrapper that starts no known tool is judged by its exit code', async () => {
  const plan = await detect(repository({ test: 'kit-scripts check' }));
  expect(plan.checks).toMatchObject([{ tool: 'command', args: ['npm test'] }]);
});

test('without a sandbox to open, no wrapper is started', async () => {
  const root = repository({ test: 'kit-scripts check' });
  const { checks } = await detectProject({ root, packageDir: '.', config: {} });
  expect(checks).toMatchObject([{ args: ['npm test'] }]);
  expect(existsSync(join(root, 'checked.txt'))).toBe(false);
});
