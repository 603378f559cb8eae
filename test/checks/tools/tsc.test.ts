import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planFor, runCheckIn } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

const OPTIONS = { strict: true, module: 'nodenext', types: [], skipLibCheck: true };
const GOOD = 'export const n: number = 1;\n';
const BAD = `export const n: number = 'one';\n`;

function repository(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, ...files });
  linkModules(root, ['typescript']);
  return root;
}

/** Everything below a folder that is no installed package. */
function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.startsWith('node_modules'))
    .sort();
}

describe('the tsc check', () => {
  it('passes clean code and reports the number of checked files', async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: OPTIONS },
      'a.ts': GOOD,
      'b.ts': 'export {};\n',
    });
    const report = await runCheckIn(root, planFor('tsc', { config: 'tsconfig.json' }));
    expect(report).toMatchObject({
      status: 'pass',
      errors: 0,
      exit_code: 0,
      detail: 'No errors in 2 files.',
    });
  });

  it('reports type errors and syntax errors with their positions', async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: OPTIONS },
      'src/a.ts': `// first\n${BAD}`,
    });
    const report = await runCheckIn(root, planFor('tsc'));
    expect(report).toMatchObject({ status: 'fail', errors: 1 });
    const place = { file: 'src/a.ts', line: 2, column: 14 };
    expect(report.diagnostics).toMatchObject([{ type: 'type_error', rule: 'TS2322', ...place }]);
    writeFiles(root, { 'src/a.ts': 'const x = ;\n' });
    const syntax = { type: 'syntax_error', rule: 'TS1109', file: 'src/a.ts', line: 1, column: 11 };
    expect((await runCheckIn(root, planFor('tsc'))).diagnostics).toMatchObject([syntax]);
  });

  it('follows the references of a solution without files of its own', async () => {
    const root = repository({
      'tsconfig.json': `{ // a solution\n "files": [], "references": [{ "path": "./a" }, { "path": "./b/tsconfig.lib.json" },], }`,
      'a/tsconfig.json': { compilerOptions: OPTIONS },
      'a/a.ts': GOOD,
      'b/tsconfig.lib.json': { compilerOptions: OPTIONS },
      'b/b.ts': BAD,
    });
    const report = await runCheckIn(root, planFor('tsc', { config: 'tsconfig.json' }));
    expect(report).toMatchObject({ status: 'fail', errors: 1, detail: '1 error in 2 files.' });
    expect(report.diagnostics[0]).toMatchObject({ file: 'b/b.ts', rule: 'TS2322' });
  });

  it('does not pass where no file is checked', async () => {
    const empty = repository({
      'tsconfig.json': { compilerOptions: OPTIONS, include: ['src'] },
      'a.ts': BAD,
    });
    expect((await runCheckIn(empty, planFor('tsc'))).status).toBe('error');
    const nothing = repository({ 'tsconfig.json': { files: [], references: [] }, 'a.ts': BAD });
    expect((await runCheckIn(nothing, planFor('tsc'))).status).toBe('error');
    const circle = repository({ 'tsconfig.json': { files: [], references: [{ path: '.' }] }, 'a.ts': BAD });
    expect((await runCheckIn(circle, planFor('tsc'))).status).toBe('error');
    const outside = repository({ 'package/tsconfig.json': { files: ['../other.ts'] }, 'other.ts': GOOD });
    linkModules(join(outside, 'package'), ['typescript']);
    const report = await runCheckIn(join(outside, 'package'), planFor('tsc'));
    expect(report).toMatchObject({ status: 'error', exit_code: 0 });
  });

  it('reports that it could not run for options that tsc rejects', async () => {
    const root = repository({ 'tsconfig.json': { compilerOptions: { target: 'es1' } }, 'a.ts': GOOD });
    expect(await runCheckIn(root, planFor('tsc'))).toMatchObject({ status: 'error' });
    const unknown = repository({ 'tsconfig.json': { compilerOptions: OPTIONS }, 'a.ts': GOOD });
    expect((await runCheckIn(unknown, planFor('tsc', { args: ['--noSuchOption'] }))).status).toBe('error');
    expect((await runCheckIn(unknown, planFor('tsc', { args: ['-p', 'gone.json'] }))).status).toBe('error');
  });

  const COMPOSITE = { ...OPTIONS, composite: true, outDir: 'dist' };
  const referring = (b: string): Files => ({
    'tsconfig.json': { files: [], references: [{ path: './a' }, { path: './b' }] },
    'a/tsconfig.json': { compilerOptions: { ...COMPOSITE, outDir: '../out/a' }, include: ['*.ts'] },
    'a/a.ts': GOOD,
    'b/tsconfig.json': {
      compilerOptions: COMPOSITE,
      include: ['*.ts'],
      references: [{ path: '../a' }],
    },
    'b/b.ts': b,
  });
  const USES = `import { n } from '../a/a.js';\n`;

  it('checks projects that refer to each other and removes its output', async () => {
    const root = repository(referring(`${USES}export const m: number = n;\n`));
    const before = filesIn(root);
    expect(await runCheckIn(root, planFor('tsc'))).toMatchObject({ status: 'pass', errors: 0 });
    expect(filesIn(root)).toEqual(before);
    writeFiles(root, { 'b/b.ts': `${USES}export const m: string = n;\n` });
    const report = await runCheckIn(root, planFor('tsc', { args: ['-b'] }));
    expect(report.diagnostics).toMatchObject([{ file: 'b/b.ts', rule: 'TS2322' }]);
    expect(filesIn(root)).toEqual(before);
  });

  it('keeps declarations that existed before', async () => {
    const root = repository({
      ...referring(`${USES}export const m = n;\n`),
      'out/a/a.d.ts': 'export declare const n: string;\n',
    });
    expect((await runCheckIn(root, planFor('tsc'))).status).toBe('pass');
    expect(filesIn(root)).toContain('out/a/a.d.ts');
  });

  it('neither reads nor writes the build information of the tree', async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: { ...OPTIONS, incremental: true, noEmit: true } },
      'a.ts': GOOD,
    });
    const cacheDir = join(temporaryFolder(), 'cache');
    expect((await runCheckIn(root, planFor('tsc'), { cacheDir })).status).toBe('pass');
    expect(filesIn(root)).not.toContain('tsconfig.tsbuildinfo');
    const [kept] = readdirSync(join(cacheDir, 'tsc'));
    expect(kept).toMatch(/\.tsbuildinfo$/);
    // Files that a passing run left must not make the next run pass.
    writeFiles(root, { 'a.ts': BAD });
    expect((await runCheckIn(root, planFor('tsc'), { cacheDir })).status).toBe('fail');
  });

  it('writes no cache in a fresh run', async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: { ...OPTIONS, composite: true } },
      'a.ts': GOOD,
    });
    const cacheDir = join(temporaryFolder(), 'cache');
    expect((await runCheckIn(root, planFor('tsc'), { cacheDir, fresh: true })).status).toBe('pass');
    expect(readdirSync(cacheDir)).toEqual([]);
    expect(filesIn(root).filter((file) => file.endsWith('.tsbuildinfo'))).toEqual([]);
  });

  it("applies the project and options of the repository's script", async () => {
    const root = repository({
      'tsconfig.json': { compilerOptions: OPTIONS, include: ['src'] },
      'tsconfig.loose.json': { compilerOptions: { ...OPTIONS, strict: false }, include: ['loose'] },
      'src/a.ts': BAD,
      'loose/b.ts': 'export const f = (x) => x;\n',
    });
    const args = ['-p', 'tsconfig.loose.json', '--noEmit', '--watch'];
    expect((await runCheckIn(root, planFor('tsc', { args }))).status).toBe('pass');
    const strict = await runCheckIn(root, planFor('tsc', { args: [...args, '--strict', 'true'] }));
    expect(strict.diagnostics).toMatchObject([{ rule: 'TS7006', file: 'loose/b.ts' }]);
    expect(strict.command).toBe(
      'node node_modules/typescript/bin/tsc -p tsconfig.loose.json --strict true --noEmit',
    );
  });

  it('fails at the time-out', async () => {
    const root = repository({ 'tsconfig.json': { compilerOptions: OPTIONS }, 'a.ts': GOOD });
    const report = await runCheckIn(root, planFor('tsc'), { timeoutMs: 20 });
    expect(report).toMatchObject({ status: 'fail', diagnostics: [{ type: 'timeout' }] });
  });
});
