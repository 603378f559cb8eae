import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAnsweredFiles } from '../../../src/agents/cot/answered-files.ts';
import { cutAround } from '../../../src/agents/cot/cut-text.ts';
import { listFiles, renderListing } from '../../../src/agents/cot/listing.ts';
import { relevantFiles } from '../../../src/agents/cot/relevant-files.ts';
import type { AttemptContext } from '../../../src/ports.ts';
import type { ShownFile } from '../../../src/prompts/cot.ts';
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
  const files = createAnsweredFiles(given.root, context.project.packageDir);
  return await relevantFiles(context, await listFiles(context), files);
}

const pathsOf = (files: readonly ShownFile[]): string[] => files.map(({ path }) => path);

const TREE: Files = {
  'src/total.ts': "import { price } from './price.js';\nexport const total = (n: number) => price * n;\n",
  'src/price.ts': 'export const price = 2;\n',
  'src/unrelated.ts': 'export const other = 1;\n',
  'test/total.test.ts':
    "import { total } from '../src/total.js';\nit('is', () => expect(total(1)).toBe(3));\n",
};

describe('the files that an answer is given on', () => {
  it('are the sources in the stack, the failing test, and what that imports by .js for .ts', async () => {
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

  it('are found by the failing test alone, where the stack has nothing else', async () => {
    const shown = await show({
      root: repositoryWith(TREE),
      failures: [{ file: 'test/total.test.ts', line: 2 }],
    });
    expect(pathsOf(shown)).toEqual(['test/total.test.ts', 'src/total.ts', 'src/price.ts']);
    expect(shown[2]).toEqual({ path: 'src/price.ts', text: 'export const price = 2;\n', cut: '' });
  });

  it('are those that the task names, and their imports, where nothing fails', async () => {
    const root = repositoryWith(TREE);
    expect(pathsOf(await show({ root, task: 'Round what ./src/total.ts gives.' }))).toEqual([
      'src/total.ts',
      'src/price.ts',
    ]);
    expect(pathsOf(await show({ root, task: 'Mend unrelated.ts, please' }))).toEqual(['src/unrelated.ts']);
    expect(await show({ root, task: 'Make it green' })).toEqual([]);
  });

  it('follow imports of another package of the workspace', async () => {
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

  it('are no binary files, no links that lead out, nothing installed and nothing outside', async () => {
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

  it('show of a long file the failing lines, with as much around them as there is room for', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `const line${index + 1} = ${index + 1};`);
    const root = repositoryWith({ 'src/long.ts': lines.join('\n') });
    const [file] = await show({ root, failures: [{ file: 'src/long.ts', line: 2500 }] });
    expect(file!.text.length).toBeLessThan(17_000);
    expect(file!.text).toContain('const line1 = 1;\n');
    expect(file!.text).toContain('\nconst line2400 = 2400;\n');
    expect(file!.text).toContain('\nconst line2600 = 2600;\n');
    expect(file!.text).not.toContain('line5000');
    expect(file!.text).toMatch(/^\[… lines 16 to \d+ left out …\]$/m);
    expect(file!.cut).toMatch(/^\d+ of 5000 lines, give edit blocks only$/);
  });

  it('are at most twenty, and bounded in all', async () => {
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

describe('a text that is cut', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');

  it('stays whole where it is short enough', () => {
    expect(cutAround(text, [50], text.length)).toEqual({ text, cut: '' });
  });

  it('has each of the lines, in order, with gaps named', () => {
    const { text: shown } = cutAround(text, [90, 50, 50, 0, 4000], 300);
    expect(shown).toMatch(/^line 1\n[^]*\nline 50\n[^]*\nline 90\n/);
    expect(shown).toMatch(/\n\[… lines \d+ to 100 left out …\]$/);
    expect(shown.length).toBeLessThan(450);
  });

  it('begins at its head where no line is known', () => {
    expect(cutAround(text, [], 300).text).toMatch(/^line 1\nline 2\n/);
  });

  it('bounds one endless line', () => {
    expect(cutAround('x'.repeat(1_000_000), [1], 5000).text.length).toBeLessThan(1200);
  });
});

describe('the listing', () => {
  it('has the package first, leaves out what git ignores and what ralph keeps, and says what it cuts', async () => {
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
    const many = renderListing(Array.from({ length: 310 }, (_, index) => `f${index}`)).split('\n');
    expect(many).toHaveLength(301);
    expect(many.at(-1)).toBe('(10 more files are not listed.)');
    expect(renderListing(['a\nb.ts', 'c\u001b.ts'])).toBe('a\\nb.ts\nc\\u{1b}.ts');
  });
});
