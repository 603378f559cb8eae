import { describe, expect, it } from 'vitest';
import { correctSpelling, runFixers } from '../../../src/repair/fixers/run-fixers.ts';
import { planFor } from '../../support/checks.ts';
import { contextFor, createRepo, testsBy, textsOf } from '../../support/repair-repo.ts';
import { linkModules } from '../../support/repositories.ts';
import { checkPlan } from './context.ts';

const eslint = checkPlan({ name: 'lint', tool: 'eslint', bin: 'node_modules/eslint/bin/eslint.js' });
const CONFIG = "export default [{ files: ['src/*.js'], rules: { eqeqeq: 'error' } }];\n";
const testOf = (input: string): string =>
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n" +
  `import { isOne } from '../src/a.js';\ntest('it', () => assert.equal(isOne(${input}), true));\n`;

describe('runFixers', () => {
  const loose = 'export const isOne = (value) => value == 1;\n';

  it('makes a comparison strict where the linter wants it and the tests pass', async () => {
    const root = createRepo({ 'eslint.config.js': CONFIG, 'src/a.js': loose, 'test/a.test.js': testOf('1') });
    const context = await contextFor(root, { checks: [...testsBy('node'), eslint] });
    const [run] = await runFixers(context, { timeoutMs: 60_000 });
    expect(run?.result).toMatchObject({ changed: ['src/a.js'], errorsFixed: 1 });
    expect(textsOf(root)['src/a.js']).toBe('export const isOne = (value) => value === 1;\n');
  });

  it('undoes a fix that breaks a passing test', async () => {
    const root = createRepo({
      'eslint.config.js': CONFIG,
      'src/a.js': loose,
      'test/a.test.js': testOf("'1'"),
    });
    const before = textsOf(root);
    const context = await contextFor(root, { checks: [...testsBy('node'), eslint] });
    const [run] = await runFixers(context, { timeoutMs: 60_000 });
    expect(run?.result.changed).toEqual([]);
    expect(run?.result.reason).toBe('The fixes broke 1 passing test and were undone, first it.');
    expect(textsOf(root)).toEqual(before);
  });

  it('keeps a fix of types while a test fails only if it makes one pass', async () => {
    const root = createRepo({
      'tsconfig.json': { compilerOptions: { strict: true, noEmit: true, types: [] }, include: ['src'] },
      'src/a.js': 'export const isOne = (value) => value === 2;\n',
      'src/b.ts': 'export const count: string = 3;\n',
      'test/a.test.js': testOf('1'),
    });
    const types = checkPlan({ name: 'types', tool: 'tsc', config: 'tsconfig.json' });
    const context = await contextFor(root, { checks: [...testsBy('node'), types] });
    const before = textsOf(root);
    const [run] = await runFixers(context, { timeoutMs: 60_000, mustRepairTests: true });
    expect(run?.result.reason).toBe(
      'The fixes made no failing test pass and were undone: the failing tests come first.',
    );
    expect(textsOf(root)).toEqual(before);
  });

  it('formats texts and sources, and no configuration', async () => {
    const config = '{"compilerOptions":   {}}\n';
    const root = createRepo({ 'tsconfig.json': config, 'notes.md': '*  a\n', 'src/a.js': 'let a   = 1;\n' });
    linkModules(root, ['prettier']);
    const args = ['prettier --check notes.md tsconfig.json src'];
    const plan = planFor('command', { name: 'lint', kind: 'lint', args });
    const context = await contextFor(root, { checks: [plan] });
    const [run] = await runFixers(context, { timeoutMs: 60_000 });
    expect(run?.result.changed).toEqual(['notes.md', 'src/a.js']);
    expect(textsOf(root)['tsconfig.json']).toBe(config);
  });
});

describe('correctSpelling', () => {
  it.each([
    ['corrects a name that the compiler calls misspelt, if a failing test passes', '1', 'v.quantity === 1'],
    ['leaves it as it is if no failing test passes', '2', 'v.quantitiy === 1'],
  ])('%s, and no other error of types', async (_, input, expected) => {
    const root = createRepo({
      'tsconfig.json': {
        compilerOptions: { strict: true, noEmit: true, types: [], allowJs: true, checkJs: true },
        include: ['src'],
      },
      'src/a.js':
        '/** @param {number} one */\nexport const isOne = (one) => {\n  const v = { quantity: one };\n  return v.quantitiy === 1;\n};\n',
      'src/b.ts': 'export const count: string = 3;\n',
      'test/a.test.js': testOf(input),
    });
    const types = checkPlan({ name: 'types', tool: 'tsc', config: 'tsconfig.json' });
    const context = await contextFor(root, { checks: [...testsBy('node'), types] });
    await correctSpelling(context, { timeoutMs: 60_000 });
    expect(textsOf(root)['src/a.js']).toContain(`return ${expected};`);
    expect(textsOf(root)['src/b.ts']).toBe('export const count: string = 3;\n');
  });
});
