import { expect, it } from 'vitest';
import { changesOfSettings } from '../../../../src/proof/replay/ambient/changed-by-settings.ts';
import { isNone } from '../../../../src/proof/replay/ambient/changes.ts';

function settings(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const configs = Object.keys(files).filter((path) => /config|rc|package/.test(path));
  return changesOfSettings({ configs, args, textOf: (path) => files[path] ?? '' });
}

const VITEST = (inside: string): Record<string, string> => ({
  'vitest.config.ts': `export default defineConfig({ test: { ${inside} } });`,
});

it.each([
  [VITEST("globals: true, environment: 'node', include: ['test/*.ts'], coverage: { provider: 'v8' }")],
  [{ 'jest.config.ts': "export default { preset: 'ts-jest', transform: { '^.+\\\\.ts$': 'ts-jest' } };" }],
  [
    {
      'package.json':
        '{ "type": "module", "imports": { "#env": { "require": "./x.js" } }, "jest": { "testEnvironment": "node" } }',
    },
  ],
  [{ '.mocharc.json': '{ "require": ["ts-node/register"], "spec": "test/**" }' }],
  [{ '.mocharc.yml': 'spec: test/*.js\ntimeout: 5000\n' }],
  [{ 'ava.config.js': "export default { nodeArguments: ['--import=tsx'], extensions: { ts: 'module' } };" }],
])('sees nothing in %j', (files) => {
  expect(isNone(settings(files))).toBe(true);
});

it.each([
  ['a browser', VITEST("environment: 'jsdom'"), { words: expect.arrayContaining(['document']) }],
  ['an environment of its own', VITEST("environment: './edge.ts'"), { isUnknown: true }],
  ['variables', VITEST("env: { MODE: 'x' }"), { words: expect.arrayContaining(['env']) }],
  [
    'globals of Jest',
    { 'package.json': '{ "jest": { "globals": { "__DEV__": true } } }' },
    { words: ['__DEV__'] },
  ],
  ['definitions', VITEST("define: { 'import.meta.flag': '1' }"), { words: ['import', 'meta', 'flag'] }],
  ['other packages', VITEST("alias: { '@': 'src' }"), { packages: true, isUnknown: false }],
  ['a setup package', VITEST("setupFiles: ['make-globals']"), { isUnknown: true }],
  ['a setup that is computed', VITEST('setupFiles: [path]'), { isUnknown: true }],
  ['another configuration', VITEST("extends: './base.ts'"), { isUnknown: true }],
  ['a setting in YAML', { '.mocharc.yml': 'require: ./test/setup.js\n' }, { isUnknown: true }],
])('sees %s', (_, files, expected) => {
  expect(settings(files)).toMatchObject(expected);
});

it('reads files that are loaded before the tests', () => {
  const setup = 'globalThis.answer = 42;';
  expect(settings({ ...VITEST("setupFiles: ['./test/setup.ts']"), 'test/setup.ts': setup })).toMatchObject({
    words: ['answer'],
    isUnknown: false,
  });
  expect(settings({ 'test/env.js': "process.env.MODE = 'x';" }, ['--require', 'test/env']).words).toContain(
    'env',
  );
  expect(settings({ 'test/a.js': "require('./b');" }, ['-r', './test/a.js']).isUnknown).toBe(true);
  expect(isNone(settings({ 'test/a.js': "require('chai');" }, ['-r', './test/a.js']))).toBe(true);
});

it('reads arguments', () => {
  expect(isNone(settings({}, ['node', '--conditions=development', '-C', 'types', '--test']))).toBe(true);
  expect(isNone(settings({}, ['node --import=tsx --test']))).toBe(true);
  expect(settings({}, ['node', '--import=./setup.js', '--test']).isUnknown).toBe(true);
  expect(settings({}, ['mocha', '-r', './setup.js']).isUnknown).toBe(true);
  expect(settings({}, ['node', '--env-file=.env', '--test']).words).toContain('env');
});
