import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planFor, runCheckIn } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

const CONFIG = `export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'warn' } }];\n`;

function repository(files: Files, modules: readonly string[] = ['eslint']): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'eslint.config.js': CONFIG, ...files });
  linkModules(root, modules);
  return root;
}

const PLAN = planFor('eslint', { config: 'eslint.config.js' });

describe('the eslint check', () => {
  it('counts errors and warnings separately, and passes with warnings', async () => {
    const root = repository({ 'a.js': 'const unused = 1;\n' });
    expect(await runCheckIn(root, PLAN)).toMatchObject({ status: 'pass', errors: 0, warnings: 1 });
    writeFiles(root, { 'src/b.js': '\n  gone();\n' });
    const report = await runCheckIn(root, PLAN);
    expect(report).toMatchObject({ status: 'fail', errors: 1, warnings: 1, exit_code: 1 });
    const error = report.diagnostics.find(({ severity }) => severity === 'error');
    expect(error).toMatchObject({
      type: 'lint_error',
      rule: 'no-undef',
      file: 'src/b.js',
      line: 2,
      column: 3,
    });
  });

  it('reports code that does not parse as a syntax error', async () => {
    const report = await runCheckIn(repository({ 'a.js': 'const x = ;\n' }), PLAN);
    expect(report.diagnostics).toMatchObject([
      { type: 'syntax_error', file: 'a.js', line: 1, severity: 'error' },
    ]);
  });

  it('reports that it could not run when eslint crashes', async () => {
    const root = repository({ 'eslint.config.js': `throw new Error('no such plugin');\n`, 'a.js': '' });
    const report = await runCheckIn(root, PLAN);
    expect(report).toMatchObject({ status: 'error', errors: 1, exit_code: 2 });
    expect(report.diagnostics[0]!.message).toContain('no such plugin');
  });

  it('ignores the report of an eslint that crashed', async () => {
    const report = `[{ filePath: __filename, messages: [] }]`;
    const root = repository({
      'bin.cjs': `const { argv } = process;
        require('node:fs').writeFileSync(argv[argv.indexOf('-o') + 1], JSON.stringify(${report}));
        process.exit(Number(argv[2]));`,
    });
    const run = (exitCode: string): ReturnType<typeof runCheckIn> =>
      runCheckIn(root, planFor('eslint', { bin: 'bin.cjs', args: [exitCode] }));
    expect((await run('0')).status).toBe('pass');
    expect((await run('1')).status).toBe('fail');
    expect((await run('2')).status).toBe('error');
  });

  it('does not pass where no file is linted', async () => {
    const root = repository({
      'eslint.config.js': `export default [{ ignores: ['**/*'] }];\n`,
      'a.js': 'gone();',
    });
    expect((await runCheckIn(root, PLAN)).status).toBe('error');
    const ignored = repository({
      'eslint.config.js': `export default [{ ignores: ['a.js'] }, {}];\n`,
      'a.js': 'gone();',
    });
    expect((await runCheckIn(ignored, PLAN, { files: ['a.js'] })).status).toBe('error');
  });

  it("applies the repository's paths and its limit of warnings", async () => {
    const root = repository({ 'src/a.js': 'const unused = 1;\n', 'other/b.js': 'gone();\n' });
    const args = ['src', '--fix', '--max-warnings', '0', '--format', 'stylish'];
    const report = await runCheckIn(root, planFor('eslint', { ...PLAN, args }));
    expect(report).toMatchObject({ status: 'fail', warnings: 1, exit_code: 1 });
    expect(report.detail).toContain('too many warnings');
    expect(report.command).toBe('node node_modules/eslint/bin/eslint.js src --max-warnings 0');
    const one = await runCheckIn(root, planFor('eslint', { ...PLAN, args: ['src', '--max-warnings', '1'] }));
    expect(one.status).toBe('pass');
  });

  it('judges what the corrections of its script leave, and writes none', async () => {
    const config = `export default [{ rules: { 'no-var': 'error', 'no-undef': 'error' } }];\n`;
    const root = repository({ 'eslint.config.js': config, 'a.js': 'var a = 1;\nexport { a };\n' });
    expect((await runCheckIn(root, PLAN)).status).toBe('fail');
    const plan = { ...PLAN, corrects: true };
    expect((await runCheckIn(root, plan)).status).toBe('pass');
    expect(readFileSync(join(root, 'a.js'), 'utf8')).toContain('var a');
    writeFiles(root, { 'a.js': 'gone();\n' });
    expect((await runCheckIn(root, plan)).status).toBe('fail');
  });

  it('lints only the requested files', async () => {
    const root = repository({ 'src/a.js': 'export {};\n', 'other/b.js': 'gone();\n' });
    const plan = planFor('eslint', { ...PLAN, args: ['src', 'other'] });
    expect((await runCheckIn(root, plan, { files: ['src/a.js'] })).status).toBe('pass');
    expect((await runCheckIn(root, plan, { files: ['other/b.js'] })).status).toBe('fail');
  });

  it('keeps its cache outside the tree, and uses none in a fresh run', async () => {
    const root = repository({ 'a.js': 'export {};\n' });
    const cacheDir = join(temporaryFolder(), 'cache');
    await runCheckIn(root, PLAN, { cacheDir, fresh: true });
    expect(readdirSync(cacheDir)).toEqual([]);
    await runCheckIn(root, PLAN, { cacheDir });
    expect(readdirSync(cacheDir)).toEqual(['eslint-lint.json']);
    expect(existsSync(join(root, '.eslintcache'))).toBe(false);
    writeFiles(root, { 'a.js': 'gone();\n' });
    expect((await runCheckIn(root, PLAN, { cacheDir })).status).toBe('fail');
  });

  it.each([
    ['7.14.0', []],
    ['7.21.0', ['eslint-lint.json']],
  ])('has a cache by content where ESLint knows it (%s)', async (version, cached) => {
    const root = repository({ 'a.js': 'export {};\n' }, []);
    const real = join(import.meta.dirname, '../../../node_modules/eslint/bin/eslint.js');
    writeFiles(root, {
      'node_modules/eslint/package.json': { name: 'eslint', version },
      'node_modules/eslint/bin/eslint.js': `import(${JSON.stringify(real)});\n`,
    });
    const cacheDir = join(temporaryFolder(), 'cache');
    expect((await runCheckIn(root, PLAN, { cacheDir })).status).toBe('pass');
    expect(readdirSync(cacheDir)).toEqual(cached);
  });

  it('reports errors in files that use a changed type', async () => {
    const root = repository(
      {
        'tsconfig.json': {
          compilerOptions: { strict: true, module: 'nodenext', types: [], skipLibCheck: true },
        },
        'eslint.config.js': `import tseslint from 'typescript-eslint';
          export default tseslint.config({ files: ['*.ts'], extends: [tseslint.configs.base],
            languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
            rules: { '@typescript-eslint/no-floating-promises': 'error' } });`,
        'work.ts': 'export const work = (): number => 1;\n',
        'use.ts': `import { work } from './work.js';\nwork();\n`,
      },
      ['eslint', 'typescript', 'typescript-eslint'],
    );
    const cacheDir = join(temporaryFolder(), 'cache');
    expect((await runCheckIn(root, PLAN, { cacheDir })).status).toBe('pass');
    writeFiles(root, { 'work.ts': 'export const work = async (): Promise<number> => 1;\n' });
    const report = await runCheckIn(root, PLAN, { cacheDir });
    expect(report.diagnostics).toMatchObject([
      { file: 'use.ts', rule: '@typescript-eslint/no-floating-promises' },
    ]);
  });
});
