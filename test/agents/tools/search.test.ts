import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { SEARCH_BYTES, SEARCH_HITS, searchWithin } from '../../../src/agents/tools/search.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { toolBench } from './tool-bench.ts';

const FILES = {
  'src/a.ts': 'export const a = 1;\n  call(a.b);\n',
  'src/b.ts': 'export const A = 2;\r\ncall(axb);\r\n',
  'test/a.test.ts': 'call(a.b);\n',
  'node_modules/m/index.js': 'call(a.b);\n',
  'dist/a.js': 'call(a.b);\n',
};

describe('search', () => {
  it.each([
    [
      'a regular expression',
      { pattern: String.raw`call\(a.b` },
      ['src/a.ts:2:   call(a.b);', 'src/b.ts:2: call(axb);', 'test/a.test.ts:1: call(a.b);'],
    ],
    [
      'a literal text',
      { pattern: 'call(a.b', literal: true },
      ['src/a.ts:2:   call(a.b);', 'test/a.test.ts:1: call(a.b);'],
    ],
    [
      'any case',
      { pattern: 'CONST a', ignoreCase: true },
      ['src/a.ts:1: export const a = 1;', 'src/b.ts:1: export const A = 2;'],
    ],
    [
      'any case with (?i)',
      { pattern: '(?i)CONST A =' },
      ['src/a.ts:1: export const a = 1;', 'src/b.ts:1: export const A = 2;'],
    ],
    ['only the same case by default', { pattern: 'const A' }, ['src/b.ts:1: export const A = 2;']],
    [
      'a line end',
      { pattern: ';$', path: 'src/b.ts' },
      ['src/b.ts:1: export const A = 2;', 'src/b.ts:2: call(axb);'],
    ],
    ['one folder', { pattern: 'call', path: 'test' }, ['test/a.test.ts:1: call(a.b);']],
    ['files that match a glob', { pattern: 'call', glob: '*.test.ts' }, ['test/a.test.ts:1: call(a.b);']],
    [
      'files that match a path glob',
      { pattern: 'call', glob: 'src/**' },
      ['src/a.ts:2:   call(a.b);', 'src/b.ts:2: call(axb);'],
    ],
    ['a folder that is skipped elsewhere', { pattern: 'call', path: 'dist' }, ['dist/a.js:1: call(a.b);']],
  ])('finds %s', async (_name, input, expected) => {
    expect(await toolBench(FILES).call('search', input)).toBe(expected.join('\n'));
  });

  it('adds an action', async () => {
    const bench = toolBench(FILES);
    await bench.call('search', { pattern: 'call', path: 'src' });
    expect(bench.actions).toEqual([
      { type: 'other', description: 'Searched for call: 2 lines found.', file_path: 'src' },
    ]);
  });

  it('reports the number of files without a match', async () => {
    expect(await toolBench(FILES).call('search', { pattern: 'zebra' })).toBe('No line matches in 3 files.');
    expect(await toolBench(FILES).call('search', { pattern: 'call', glob: '*.py' })).toBe('No file matches.');
  });

  it('skips binary files, and files over 1 MB with a note', async () => {
    const bench = toolBench({
      'a.bin': Buffer.from('needle\0'),
      'large.txt': `needle\n${'x'.repeat(2 ** 20)}`,
      'small.txt': 'needle',
    });
    expect(await bench.call('search', { pattern: 'needle' })).toBe(
      'small.txt:1: needle\n[1 file over 1 MB left out]',
    );
  });

  it('leaves out files that git ignores', async () => {
    const bench = toolBench({ '.gitignore': 'out/\n', 'out/a.js': 'needle', 'a.js': 'needle' });
    execaSync('git', ['init', '-q'], { cwd: bench.root });
    expect(await bench.call('search', { pattern: 'needle' })).toBe('a.js:1: needle');
    expect(await bench.call('search', { pattern: 'needle', path: 'out' })).toBe('out/a.js:1: needle');
  });

  it('does not follow links', async () => {
    const bench = toolBench({ 'src/a': 'needle' });
    symlinkSync('..', join(bench.root, 'src/up'));
    symlinkSync('/etc/passwd', join(bench.root, 'src/passwd'));
    expect(await bench.call('search', { pattern: 'needle|root' })).toBe('src/a:1: needle');
  });

  it('returns at most 100 lines, with a note', async () => {
    const exact = await toolBench({ a: 'x\n'.repeat(SEARCH_HITS) }).call('search', { pattern: 'x' });
    expect(exact.split('\n')).toHaveLength(SEARCH_HITS);
    const more = await toolBench({ a: 'x\n'.repeat(SEARCH_HITS + 1) }).call('search', { pattern: 'x' });
    expect(more.split('\n')).toHaveLength(SEARCH_HITS + 1);
    expect(more).toMatch(/\[only the first 100; narrow pattern, path or glob to see others\]$/);
  });

  it('returns at most 20 KB', async () => {
    const text = await toolBench({ a: `${'é'.repeat(190)}\n`.repeat(90) }).call('search', { pattern: 'é' });
    expect(Buffer.byteLength(text)).toBeLessThan(SEARCH_BYTES + 100);
    expect(text).toMatch(/\[only the first \d\d; narrow/);
  });

  it('shortens a long line around the match', async () => {
    const bench = toolBench({ a: `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n` });
    const text = await bench.call('search', { pattern: 'needle' });
    expect(text).toMatch(/^a:1: …x+needley+…$/);
    expect(text.length).toBeLessThan(220);
  });

  it.each([
    [{ pattern: '(' }, /^Invalid regular expression.*set literal to find the text itself/],
    [{ pattern: '' }, /^pattern is empty/],
    [{ pattern: 'x', path: 'sr' }, /^sr does not exist\. Did you mean src\?/],
  ])('refuses %j', async (input, expected) => {
    expect(await toolBench(FILES).refusal('search', input)).toMatch(expected);
  });
});

describe('an endless search', () => {
  const hostile = { 'a.txt': `${'a'.repeat(60)}b\n`, 'b.txt': 'aaa\n' };
  const settingOf = (root: string) => ({ root, cwd: '.', env: childEnvironment, bashTimeoutMs: 1000 });

  it('is stopped within a match and does not block the process', async () => {
    const { root } = toolBench(hostile);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const searched = searchWithin(600, { pattern: '(a+)+$' }, settingOf(root), new AbortController().signal);
    await expect(searched).rejects.toThrow(/took longer than 1 s and was stopped\. Simplify the pattern/);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });

  it('is stopped within a glob', async () => {
    const { root } = toolBench({ [`${'a'.repeat(200)}`]: 'x' });
    const input = { pattern: 'x', glob: `${'*a'.repeat(30)}b` };
    const searched = searchWithin(600, input, settingOf(root), new AbortController().signal);
    await expect(searched).rejects.toThrow(/was stopped/);
  });

  it('is stopped by an abort', async () => {
    const { root } = toolBench(hostile);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const searched = searchWithin(2 ** 30, { pattern: '(a+)+$' }, settingOf(root), controller.signal);
    await expect(searched).rejects.toThrow('The search was stopped: the attempt is over.');
  });

  it('returns the hits found before', async () => {
    const { root } = toolBench({ 'a.txt': 'b\naaa\n', 'z.txt': hostile['a.txt'] });
    const searched = searchWithin(3000, { pattern: '(a+)+$' }, settingOf(root), new AbortController().signal);
    expect((await searched).text).toBe('a.txt:2: aaa\n[stopped: it took too long]');
  });

  it('does not affect a harmless pattern', async () => {
    expect(await toolBench(hostile).call('search', { pattern: 'a+$' })).toBe('b.txt:1: aaa');
  });
});
