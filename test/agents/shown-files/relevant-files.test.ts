import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspaceFiles } from '../../../src/agents/shown-files/workspace-files.ts';
import { excerptAround } from '../../../src/agents/shown-files/excerpt.ts';
import { listFiles, renderListing } from '../../../src/agents/shown-files/listing.ts';
import { WITHOUT_TOOLS } from '../../../src/agents/shown-files/index.ts';
import { relevantFiles } from '../../../src/agents/shown-files/relevant-files.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import type { ShownFile } from '../../../src/prompts/attempt.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { repositoryWith, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';
import { evaluation, failure } from '../../support/scripted.ts';

interface Given {
  readonly root: string;
  readonly failures?: readonly Partial<Diagnostic>[];
  readonly task?: string;
  readonly packageDir?: string;
}

function contextOf({ root, failures = [], task = '', packageDir = '.' }: Given): AttemptContext {
  const diagnostics = failures.map((over, index) => ({ ...failure(index), ...over }));
  const seen = evaluation(0, diagnostics.length, { diagnostics });
  const signal = new AbortController().signal;
  return { root, task, project: { packageDir }, evaluation: seen, signal } as unknown as AttemptContext;
}

async function show(given: Given): Promise<ShownFile[]> {
  const context = contextOf(given);
  const files = createWorkspaceFiles(given.root, context.project.packageDir);
  return await relevantFiles(context, await listFiles(context), files, WITHOUT_TOOLS);
}

const pathsOf = (files: readonly ShownFile[]): string[] => files.map(({ path }) => path);

const TREE: Files = {
  'src/total.ts': "import { price } from './price.js';\nexport const total = (n: number) => price * n;\n",
  'src/price.ts': 'export const price = 2;\n',
  'src/unrelated.ts': 'export const other = 1;\n',
  'test/total.test.ts':
    "import { total } from '../src/total.js';\nit('is', () => expect(total(1)).toBe(3));\n",
};

describe('relevantFiles', () => {
  it('returns sources in the stack, the failing test and its imports, .js for .ts', async () => {
    const root = repositoryWith(TREE);
    const frames = [
      { file: 'src/price.ts', line: 1 },
      { file: 'test/total.test.ts', line: 2 },
    ];
    expect(pathsOf(await show({ root, failures: [{ file: 'test/total.test.ts', frames }] }))).toEqual([
      'src/price.ts',
      'test/total.test.ts',
      'src/total.ts',
    ]);
  });

  it('finds sources by the failing test if the stack names no other file', async () => {
    const shown = await show({
      root: repositoryWith(TREE),
      failures: [{ file: 'test/total.test.ts', line: 2 }],
    });
    expect(pathsOf(shown)).toEqual(['test/total.test.ts', 'src/total.ts', 'src/price.ts']);
    expect(shown[2]).toEqual({ path: 'src/price.ts', text: 'export const price = 2;\n', cut: '' });
  });

  it('returns files named in the task and their imports if nothing fails', async () => {
    const root = repositoryWith(TREE);
    expect(pathsOf(await show({ root, task: 'Round what ./src/total.ts gives.' }))).toEqual([
      'src/total.ts',
      'src/price.ts',
    ]);
    expect(pathsOf(await show({ root, task: 'Mend unrelated.ts, please' }))).toEqual(['src/unrelated.ts']);
    expect(await show({ root, task: 'Make it green' })).toEqual([]);
  });

  it('follows imports of another package of the workspace', async () => {
    const root = repositoryWith({
      'package.json': { name: 'all', workspaces: ['packages/*'] },
      'packages/core/package.json': { name: '@x/core', exports: './dist/index.js' },
      'packages/core/src/index.ts': 'export const one = 1;\n',
      'packages/app/package.json': { name: 'app' },
      'packages/app/src/app.ts': "import { one } from '@x/core';\nexport const two = one + one;\n",
    });
    mkdirSync(join(root, 'node_modules/@x'), { recursive: true });
    symlinkSync(join(root, 'packages/core'), join(root, 'node_modules/@x/core'));
    const failures = [{ file: 'packages/app/src/app.ts', line: 2 }];
    expect(pathsOf(await show({ root, failures, packageDir: 'packages/app' }))).toEqual([
      'packages/app/src/app.ts',
      'packages/core/src/index.ts',
    ]);
  });

  it('excludes binary files, links to places outside, installed packages and outside files', async () => {
    const outside = temporaryFolder();
    writeFiles(outside, { 'secret.ts': 'export const secret = 1;\n' });
    const root = repositoryWith({
      'src/in.ts': 'export {};\n',
      'node_modules/dep/index.js': 'module.exports = 1;\n',
    });
    writeFileSync(join(root, 'src/binary.ts'), Buffer.from([1, 0, 2]));
    symlinkSync(join(outside, 'secret.ts'), join(root, 'src/link.ts'));
    symlinkSync(outside, join(root, 'src/folder'));
    const names = ['src/link.ts', 'src/folder/secret.ts', 'src/binary.ts', join(outside, 'secret.ts')];
    const all = [
      ...names,
      '../x.ts',
      'src',
      'src/none.ts',
      'node_modules/dep/index.js',
      '.git/config',
      'src/in.ts',
    ];
    expect(pathsOf(await show({ root, failures: all.map((file) => ({ file })) }))).toEqual(['src/in.ts']);
  });

  it('shows the lines around the failures of a long file', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `const line${index + 1} = ${index + 1};`);
    const root = repositoryWith({ 'src/long.ts': lines.join('\n') });
    const [file] = await show({ root, failures: [{ file: 'src/long.ts', line: 2500 }] });
    expect(file!.text.length).toBeLessThan(17_000);
    expect(file!.text).toContain('const line1 = 1;\n');
    expect(file!.text).toContain('\nconst line2400 = 2400;\n');
    expect(file!.text).toContain('\nconst line2600 = 2600;\n');
    expect(file!.text).not.toContain('line5000');
    expect(file!.text).toMatch(/^\[… lines 16 to \d+ left out …\]$/m);
    expect(file!.cut).toMatch(/^\d+ of 5000 lines$/);
  });

  it('returns at most twenty files of bounded total size', async () => {
    const files = (count: number, text: string): Files =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/f${index}.ts`, text]));
    const failuresIn = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ file: `src/f${index}.ts` }));
    const small = await show({ root: repositoryWith(files(30, 'x\n')), failures: failuresIn(30) });
    expect(small).toHaveLength(20);
    const large = await show({
      root: repositoryWith(files(9, 'x = 1;\n'.repeat(3000))),
      failures: failuresIn(9),
    });
    expect(large.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(62_000);
    expect(large.length).toBeGreaterThanOrEqual(4);
  });
});

describe('excerptAround', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');

  it('returns a short text unchanged', () => {
    expect(excerptAround(text, [50], text.length)).toEqual({ text, cut: '' });
  });

  it('contains each given line in order, with notes about the gaps', () => {
    const { text: shown } = excerptAround(text, [90, 50, 50, 0, 4000], 300);
    expect(shown).toMatch(/^line 1\n[^]*\nline 50\n[^]*\nline 90\n/);
    expect(shown).toMatch(/\n\[… lines \d+ to 100 left out …\]$/);
    expect(shown.length).toBeLessThan(450);
  });

  it('returns the beginning without given lines', () => {
    expect(excerptAround(text, [], 300).text).toMatch(/^line 1\nline 2\n/);
  });

  it('shortens a very long line', () => {
    expect(excerptAround('x'.repeat(1_000_000), [1], 5000).text.length).toBeLessThan(1200);
  });
});

describe('the listing', () => {
  it('starts with the package, leaves out ignored files and .aiwg, and reports the rest', async () => {
    const root = repositoryWith({
      '.gitignore': 'node_modules\nignored.ts\n',
      'a.ts': '',
      'ignored.ts': '',
      'packages/z/z.ts': '',
      '.aiwg/ralph/x.json': '{}',
      'dist/a.js': '',
    });
    const paths = await listFiles(contextOf({ root, packageDir: 'packages/z' }));
    expect(paths).toEqual(['packages/z/z.ts', '.gitignore', 'a.ts']);
    const many = renderListing(
      Array.from({ length: 310 }, (_, index) => `f${index}`),
      300,
    ).split('\n');
    expect(many).toHaveLength(301);
    expect(many.at(-1)).toBe('(10 more files not listed.)');
    expect(renderListing(['a\nb.ts', 'c\u001b.ts'], 300)).toBe('a\\nb.ts\nc\\u{1b}.ts');
  });
});
