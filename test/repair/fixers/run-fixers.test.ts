import { describe, expect, it } from 'vitest';
import { runFixers } from '../../../src/repair/fixers/run-fixers.ts';
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

  it('formats with a formatter that a check runs as a command', async () => {
    const root = createRepo({ 'src/a.js': 'export const a   = 1;\n', 'src/b.js': 'export const b = 1;\n' });
    linkModules(root, ['prettier']);
    const plan = planFor('command', {
      name: 'lint',
      kind: 'lint',
      args: ['prettier --check src'],
    });
    const context = await contextFor(root, { checks: [plan] });
    const [run] = await runFixers(context, { timeoutMs: 60_000 });
    expect(run?.result).toMatchObject({ changed: ['src/a.js'], errorsFixed: 1 });
    expect(textsOf(root)['src/a.js']).toBe('export const a = 1;\n');
  });
});
