import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolInstalledBy, toolOf, tools, toolsOf, toolStartedBy, type ToolName } from '../src/tools.ts';

test('toolsOf lists the tools of one kind', () => {
  expect(toolsOf('tests')).toEqual(['vitest', 'jest', 'mocha', 'ava', 'node']);
  expect(toolsOf('types')).toEqual(['tsc']);
});

test.each([
  ['jest-cli', 'jest'],
  ['_mocha', 'mocha'],
  ['tsc', 'tsc'],
  ['tape', undefined],
])('the word %s in a script starts %s', (program, tool) => {
  expect(toolStartedBy(program)).toBe(tool);
});

test('toolInstalledBy finds the tool of a package', () => {
  expect(toolInstalledBy('typescript')).toBe('tsc');
  expect(toolInstalledBy('tape')).toBeUndefined();
});

test('no program and no package belongs to two tools', () => {
  const rows = (Object.keys(tools) as ToolName[]).map(toolOf);
  for (const names of [rows.flatMap((row) => row.programs), rows.flatMap((row) => row.packages)])
    expect(new Set(names).size).toBe(names.length);
});

test.each((Object.keys(tools) as ToolName[]).filter((name) => toolOf(name).packages.length > 0))(
  '%s is installed here, so that its check is tested with the real tool',
  (name) => {
    expect(existsSync(`node_modules/${toolOf(name).packages[0]}/package.json`)).toBe(true);
  },
);
