import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixWithEslint } from '../../../src/repair/fixers/eslint.ts';
import { configurationArgs } from '../../../src/repair/fixers/eslint-arguments.ts';
import { createRepo, textsOf } from '../../support/repair-repo.ts';
import { checkPlan, contextWith } from './context.ts';

const plan = checkPlan({ name: 'lint', tool: 'eslint', bin: 'node_modules/eslint/bin/eslint.js' });

const config = (rules: Readonly<Record<string, string>>, plugin = ''): string =>
  `${plugin}\nexport default [{ ${plugin === '' ? '' : 'plugins: { own },'} rules: ${JSON.stringify(rules)} }];\n`;

describe('fixWithEslint', () => {
  it('applies --fix to source files with errors and changes no other file', async () => {
    const root = createRepo({
      'eslint.config.js': config({ 'prefer-const': 'error', 'no-var': 'error' }),
      'src/a.js': 'var a = 1;\nexport { a };\n',
      'src/unreported.js': 'var b = 1;\nexport { b };\n',
      'test/a.test.js': 'var c = 1;\nexport { c };\n',
    });
    const before = textsOf(root);
    const result = await fixWithEslint({
      plan,
      context: contextWith(root, plan, ['src/a.js', 'test/a.test.js', 'eslint.config.js']),
    });
    expect(result).toMatchObject({ changed: ['src/a.js'], errorsFixed: 1 });
    expect(result.actions).toEqual([
      { description: 'eslint --fix fixed 1 error in src/a.js.', file: 'src/a.js', command: 'eslint --fix' },
    ]);
    expect(textsOf(root)).toEqual({ ...before, 'src/a.js': 'const a = 1;\nexport { a };\n' });
  });

  it('applies suggestions one at a time and keeps those that lower the number of errors', async () => {
    const root = createRepo({
      'eslint.config.js': config({ 'no-prototype-builtins': 'error', 'no-unsafe-negation': 'error' }),
      'src/a.js':
        'export const a = (o, k) => o.hasOwnProperty(k);\nexport const b = (o, k) => o.hasOwnProperty(k);\n',
    });
    const result = await fixWithEslint({ plan, context: contextWith(root, plan, ['src/a.js']) });
    expect(result).toMatchObject({ changed: ['src/a.js'], errorsFixed: 2 });
    expect(result.actions.map(({ description }) => description)).toContainEqual(
      expect.stringMatching(/^Applied the suggestion of no-prototype-builtins in src\/a\.js: /),
    );
    const calls = readFileSync(join(root, 'src/a.js'), 'utf8').match(
      /=> Object\.prototype\.hasOwnProperty\.call\(o, k\);/g,
    );
    expect(calls).toHaveLength(2);
  });

  it('rejects fixes and suggestions that silence the rule', async () => {
    const silencing = `const own = { rules: { quiet: {
      meta: { fixable: 'code', schema: [] },
      create: (context) => ({ Program(node) {
        const text = context.sourceCode.getText();
        if (!text.includes('@ts-nocheck')) context.report({ node, message: 'loud',
          fix: (fixer) => fixer.insertTextBefore(node, '/* @ts-nocheck */ ') });
      } }) } ,
      hint: {
      meta: { hasSuggestions: true, schema: [] },
      create: (context) => ({ Program(node) {
        if (!context.sourceCode.getText().includes('@ts-nocheck')) context.report({ node, message: 'loud',
          suggest: [{ desc: 'be quiet', fix: (fixer) => fixer.insertTextBefore(node, '/* @ts-nocheck */ ') }] });
      } }) } } };`;
    for (const rule of ['own/quiet', 'own/hint']) {
      const root = createRepo({
        'eslint.config.js': config({ [rule]: 'error' }, silencing),
        'src/a.js': 'export const a = 1;\n',
      });
      const before = textsOf(root);
      const result = await fixWithEslint({ plan, context: contextWith(root, plan, ['src/a.js']) });
      expect(result).toMatchObject({ changed: [], errorsFixed: 0, actions: [] });
      expect(textsOf(root)).toEqual(before);
    }
  });

  it('restores a file if --fix does not lower its number of errors', async () => {
    const restless = `const own = { rules: { restless: { meta: { fixable: 'code', schema: [] },
      create: (context) => ({ Program(node) { context.report({ node, message: 'again',
        fix: (fixer) => fixer.insertTextBefore(node, '/**/') }); } }) } } };`;
    const root = createRepo({
      'eslint.config.js': config({ 'own/restless': 'error' }, restless),
      'src/a.js': 'export const a = 1;\n',
    });
    const result = await fixWithEslint({ plan, context: contextWith(root, plan, ['src/a.js']) });
    expect(result).toMatchObject({ changed: [], errorsFixed: 0 });
    expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('export const a = 1;\n');
  });

  it('changes nothing if only tests have errors, and gives the reason', async () => {
    const root = createRepo({
      'eslint.config.js': config({ 'no-var': 'error' }),
      'a.test.js': 'var a = 1;\n',
    });
    const result = await fixWithEslint({ plan, context: contextWith(root, plan, ['a.test.js']) });
    expect(result).toEqual({
      changed: [],
      before: new Map(),
      actions: [],
      errorsFixed: 0,
      reason: 'No editable source file has a lint error.',
    });
  });

  it('changes nothing if the configuration does not load', async () => {
    const root = createRepo({ 'eslint.config.js': 'throw new Error("no");', 'src/a.js': 'var a = 1;\n' });
    const result = await fixWithEslint({ plan, context: contextWith(root, plan, ['src/a.js']) });
    expect(result.reason).toBe('ESLint could not run on the files with errors.');
    expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('var a = 1;\n');
  });

  it('uses the configuration file named in the script', async () => {
    const root = createRepo({
      'lint/own.config.js': config({ 'no-var': 'error' }),
      'src/a.js': 'var a = 1;\nexport { a };\n',
    });
    writeFileSync(join(root, 'eslint.config.js'), config({}));
    const own = { ...plan, args: ['src', '--config', 'lint/own.config.js', '--max-warnings', '0'] };
    const result = await fixWithEslint({ plan: own, context: contextWith(root, own, ['src/a.js']) });
    expect(result.changed).toEqual(['src/a.js']);
  });
});

describe('configurationArgs', () => {
  it('keeps options that affect the lint result, and drops files and report formats', () => {
    const args = ['src', '--ext', '.ts', '--config=a.js', '--format', 'json', '--no-eslintrc', '--fix', '.'];
    expect(configurationArgs(args)).toEqual(['--ext', '.ts', '--config=a.js', '--no-eslintrc']);
  });
});
