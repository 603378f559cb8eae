import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { git, repositoryWith } from '../support/repositories.ts';

const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': `${JSON.stringify({ name: 'badge', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'package-lock.json': `${JSON.stringify({ name: 'badge', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': { name: 'badge', version: '1.0.0' } } }, null, 2)}\n`,
  'vendor/pad/package.json': '{ "name": "pad", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
  'vendor/pad/index.js': 'export const pad = (text, width) => text.padEnd(width);\n',
  'src/badge.js': "export const badge = (text) => '[' + text + ']';\n",
  'test/badge.test.js':
    "import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { badge } from '../src/badge.js';\ntest('pads', () => equal(badge('ab'), '[ab  ]'));\ntest('keeps', () => equal(badge('abcd'), '[abcd]'));\n",
};
const SOURCE = "import { pad } from 'pad';\nexport const badge = (text) => '[' + pad(text, 4) + ']';";
const ADDS = `npm install --offline --no-audit --no-fund ./vendor/pad && cat > src/badge.js <<'END'\n${SOURCE}\nEND\n`;

it('installs a changed lockfile in a copy and delivers both files, where --allow permits them', async () => {
  const root = repositoryWith(FILES);
  const allow = ['--allow', 'package.json', '--allow', 'package-lock.json'];
  const { exitCode, verdict } = await ralphRun(root, [...allow, '-i', '1', '--command', ADDS]);
  expect(verdict.reason).toMatch(/own test command/);
  expect(exitCode).toBe(0);
  expect(git(root, 'diff', '--name-only').trim().split('\n')).toEqual([
    'package-lock.json',
    'package.json',
    'src/badge.js',
  ]);
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).toContain('vendor/pad');
});

it('puts both files back without it, and delivers nothing', async () => {
  const root = repositoryWith(FILES);
  const { exitCode } = await ralphRun(root, ['--command', ADDS]);
  expect(exitCode).toBe(1);
  expect(git(root, 'status', '--porcelain', '--', ':!.aiwg')).toBe('');
});
