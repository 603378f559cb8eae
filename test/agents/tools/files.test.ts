import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { LIST_ENTRIES } from '../../../src/agents/tools/list.ts';
import { READ_BYTES, READ_LINES } from '../../../src/agents/tools/read.ts';
import { toolBench } from './tool-bench.ts';

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('read', () => {
  it('returns the text without line numbers', async () => {
    const bench = toolBench({ a: 'one\n  two\n\nfour\n' });
    expect(await bench.call('read', { path: 'a' })).toBe('one\n  two\n\nfour');
    expect(bench.actions).toEqual([
      { type: 'other', description: 'Read lines 1 to 4 of 4.', file_path: 'a' },
    ]);
  });

  it.each([
    ['lines from an offset', { offset: 9 }, 'line 9\nline 10'],
    [
      'the requested number of lines and the next offset',
      { offset: 3, limit: 2 },
      'line 3\nline 4\n[lines 3-4 of 10; continue with offset 5]',
    ],
    [
      'the first line for offset 0',
      { offset: 0, limit: 1 },
      'line 1\n[lines 1-1 of 10; continue with offset 2]',
    ],
  ])('returns %s', async (_name, input, expected) => {
    expect(await toolBench({ a: numbered(10) }).call('read', { path: 'a', ...input })).toBe(expected);
  });

  it('returns at most 2,000 lines', async () => {
    const text = await toolBench({ a: numbered(READ_LINES + 1) }).call('read', { path: 'a', limit: 99_999 });
    expect(text).toMatch(/\nline 2000\n\[lines 1-2000 of 2001; continue with offset 2001\]$/);
    const whole = await toolBench({ a: numbered(READ_LINES) }).call('read', { path: 'a' });
    expect(whole).toMatch(/\nline 2000$/);
  });

  it('returns at most 50 KB of whole lines', async () => {
    const text = await toolBench({ a: `${'é'.repeat(500)}\n`.repeat(100) }).call('read', { path: 'a' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(READ_BYTES + 100);
    expect(text).toMatch(/é\n\[lines 1-51 of 100; continue with offset 52\]$/);
  });

  it('cuts a line of more than 50 KB, with a note', async () => {
    const text = await toolBench({ a: `${'é'.repeat(60_000)}\nnext\n` }).call('read', { path: 'a' });
    expect(text).not.toContain('\u{fffd}');
    expect(text).toMatch(
      /é\n\[line 1 is cut: it has 60000 characters; lines 1-1 of 2; continue with offset 2\]$/,
    );
  });

  it('removes the byte order mark and CR', async () => {
    expect(await toolBench({ a: '\u{feff}one\r\ntwo\r\n' }).call('read', { path: 'a' })).toBe('one\ntwo');
  });

  it.each([
    ['an empty file a note', { a: '' }, '[empty file]'],
    ['an empty line nothing', { a: '\n' }, ''],
  ])('returns for %s', async (_name, files, expected) => {
    expect(await toolBench(files).call('read', { path: 'a' })).toBe(expected);
  });

  it('reports paths that are not text files', async () => {
    const bench = toolBench({ 'src/index.ts': 'a\nb\n', 'a.png': Buffer.from([137, 80, 0, 1]) });
    execaSync('mkfifo', [join(bench.root, 'pipe')]);
    expect(await bench.refusal('read', { path: 'src' })).toBe('src is a folder; use list.');
    expect(await bench.refusal('read', { path: 'a.png' })).toBe('a.png is a binary file of 4 bytes.');
    expect(await bench.refusal('read', { path: 'pipe' })).toBe('pipe is not a regular file.');
    expect(await bench.refusal('read', { path: 'src/indx.ts' })).toBe(
      'src/indx.ts does not exist. Did you mean index.ts?',
    );
    expect(await bench.refusal('read', { path: 'lib/x.ts' })).toBe(
      'lib/x.ts does not exist. Find it with list or search.',
    );
    expect(await bench.refusal('read', { path: 'src/index.ts', offset: 3 })).toBe(
      'src/index.ts has only 2 lines; give a smaller offset.',
    );
    expect(bench.actions.map(({ type }) => type)).toEqual(Array(6).fill('other'));
  });

  it('refuses a file of more than 20 MB', async () => {
    const bench = toolBench({ a: 'x' });
    bench.put('a', Buffer.alloc(21 * 2 ** 20, 'x'));
    expect(await bench.refusal('read', { path: 'a' })).toBe(
      'a is too large (21 MB); look at parts of it with bash.',
    );
  });
});

describe('write', () => {
  it('creates a file and its folders', async () => {
    const bench = toolBench();
    expect(await bench.call('write', { path: 'a/b/c.ts', content: 'x\ny\n' })).toBe(
      'Created a/b/c.ts, 2 lines.',
    );
    expect(bench.text('a/b/c.ts')).toBe('x\ny\n');
    expect(bench.actions).toEqual([
      {
        type: 'file_creation',
        description: 'Created a/b/c.ts.',
        file_path: 'a/b/c.ts',
        changes: { additions: 2, deletions: 0, diff: '@@ -0,0 +1,2 @@\n+x\n+y' },
      },
    ]);
  });

  it('replaces a file with exactly the given bytes and keeps its mode', async () => {
    const bench = toolBench({ a: 'one\ntwo\nthree\n' });
    chmodSync(join(bench.root, 'a'), 0o755);
    expect(await bench.call('write', { path: 'a', content: 'one\r\n2\nthree' })).toBe(
      'Replaced a: 3 lines became 3.',
    );
    expect(bench.text('a')).toBe('one\r\n2\nthree');
    expect(statSync(join(bench.root, 'a')).mode & 0o777).toBe(0o755);
    expect(bench.actions[0]).toMatchObject({
      type: 'code_modification',
      changes: { additions: 3, deletions: 3 },
    });
  });

  it('stores only the changed lines in the action', async () => {
    const bench = toolBench({ a: 'one\ntwo\nthree\n' });
    await bench.call('write', { path: 'a', content: 'one\n2\nthree\n' });
    expect(bench.actions[0]).toMatchObject({
      changes: { additions: 1, deletions: 1, diff: '@@ -2,1 +2,1 @@\n-two\n+2' },
    });
  });

  it('reports that the file has the text already', async () => {
    const bench = toolBench({ a: 'one\n' });
    expect(await bench.call('write', { path: 'a', content: 'one\n' })).toBe('a has this text already.');
    expect(bench.actions).toMatchObject([{ type: 'other' }]);
  });

  it('refuses a folder and a path through a file', async () => {
    const bench = toolBench({ 'a/b': 'x' });
    expect(await bench.refusal('write', { path: 'a', content: 'x' })).toBe(
      'a is a folder; give the path of a file.',
    );
    expect(await bench.refusal('write', { path: 'a/b/c', content: 'x' })).toMatch(
      /^A part of a\/b\/c is a file, not a folder/,
    );
  });
});

describe('edit', () => {
  it('changes the file and reports the changed lines', async () => {
    const bench = toolBench({ 'a.ts': '\u{feff}one\r\ntwo\r\nthree\r\n' });
    const edits = [
      { oldText: 'one', newText: 'ONE\nAND' },
      { oldText: 'three\n', newText: '' },
    ];
    expect(await bench.call('edit', { path: 'a.ts', edits })).toBe(
      'Changed a.ts: lines 1-2 replace 1 line; 1 line removed before line 4.',
    );
    expect(bench.text('a.ts')).toBe('\u{feff}ONE\r\nAND\r\ntwo\r\n');
    expect(bench.actions[0]).toMatchObject({
      type: 'code_modification',
      file_path: 'a.ts',
      changes: { additions: 2, deletions: 2 },
    });
  });

  it('reports the ignored differences', async () => {
    const bench = toolBench({ a: 'say(“hi”);\n' });
    const edits = [{ oldText: 'say("hi");', newText: 'x' }];
    expect(await bench.call('edit', { path: 'a', edits })).toBe(
      'Changed a: line 1 replaces 1 line. Differences in look-alike characters were ignored.',
    );
  });

  it('writes nothing unless every edit matches', async () => {
    const bench = toolBench({ a: 'one\ntwo\n' });
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: 'three', newText: '3' },
    ];
    expect(await bench.refusal('edit', { path: 'a', edits })).toMatch(
      /^Nothing was changed in a\. Edit 2: oldText is not/,
    );
    expect(bench.text('a')).toBe('one\ntwo\n');
    expect(bench.actions).toMatchObject([{ type: 'other' }]);
  });

  it('refuses a file that is not UTF-8', async () => {
    const bytes = Buffer.from([0x61, 0xe9, 0x0a]);
    const bench = toolBench({ a: bytes });
    const edits = [{ oldText: 'a', newText: 'b' }];
    expect(await bench.refusal('edit', { path: 'a', edits })).toBe(
      'a is not UTF-8 text; change it with bash.',
    );
    expect(readFileSync(join(bench.root, 'a')).equals(bytes)).toBe(true);
  });

  it('reports a missing file', async () => {
    const edits = [{ oldText: 'a', newText: 'b' }];
    expect(await toolBench().refusal('edit', { path: 'a', edits })).toBe(
      'a does not exist. Find it with list or search.',
    );
  });

  it('limits the diff of a large change', async () => {
    const bench = toolBench({ a: numbered(5000) });
    await bench.call('edit', { path: 'a', edits: [{ oldText: numbered(5000), newText: 'x\n' }] });
    expect(bench.actions[0]!.changes!.diff!.length).toBeLessThanOrEqual(8000);
  });
});

describe('list', () => {
  const files = {
    'b.ts': '',
    'a.ts': '',
    'src/c.ts': '',
    'src/deep/d.test.ts': '',
    'node_modules/m/index.js': '',
    'dist/out.js': '',
    'coverage/x': '',
    '.hidden': '',
  };

  it.each([
    ['the package folder', {}, '.hidden\na.ts\nb.ts\nsrc/'],
    ['a folder', { path: 'src' }, 'c.ts\ndeep/'],
    ['a folder that is skipped elsewhere', { path: 'dist' }, 'out.js'],
    ['files that match a name', { glob: '*.ts' }, 'a.ts\nb.ts\nsrc/c.ts\nsrc/deep/d.test.ts'],
    ['files that match a path', { glob: 'src/**/*.test.ts' }, 'src/deep/d.test.ts'],
    ['files that match a path from the folder', { path: 'src', glob: 'deep/*' }, 'src/deep/d.test.ts'],
    ['files that match a path from the root', { path: 'src', glob: 'src/*.ts' }, 'src/c.ts'],
    ['files in a folder', { glob: 'src/' }, 'src/c.ts\nsrc/deep/d.test.ts'],
    ['alternatives', { glob: '{a,c}.ts' }, 'a.ts\nsrc/c.ts'],
    ['nothing', { glob: '*.py' }, 'No file matches.'],
    ['the package folder for empty inputs', { path: '', glob: '' }, '.hidden\na.ts\nb.ts\nsrc/'],
  ])('returns %s', async (_name, input, expected) => {
    expect(await toolBench(files).call('list', input)).toBe(expected);
  });

  it('leaves out files that git ignores', async () => {
    const bench = toolBench({
      ...files,
      '.gitignore': 'src/c.ts\nbuild/\n',
      'build/x': '',
      'src/new.ts': '',
    });
    execaSync('git', ['init', '-q'], { cwd: bench.root });
    expect(await bench.call('list', {})).toBe('.gitignore\n.hidden\na.ts\nb.ts\ncoverage/\ndist/\nsrc/');
    expect(await bench.call('list', { path: 'src' })).toBe('deep/\nnew.ts');
    expect(await bench.call('list', { path: 'build' })).toBe('x');
    expect(await bench.call('list', { glob: '*.ts' })).toBe('a.ts\nb.ts\nsrc/deep/d.test.ts\nsrc/new.ts');
  });

  it('returns at most 300 entries and the total number', async () => {
    const many = Object.fromEntries(
      Array.from({ length: LIST_ENTRIES + 5 }, (_, index) => [`f${index}`, '']),
    );
    for (const input of [{}, { glob: 'f*' }]) {
      const lines = (await toolBench(many).call('list', input)).split('\n');
      expect(lines).toHaveLength(LIST_ENTRIES + 1);
      expect(lines.at(-1)).toBe('[only the first 300 of 305; name a folder below or a glob]');
    }
  });

  it('does not follow links', async () => {
    const bench = toolBench({ 'src/a.ts': '' });
    symlinkSync('..', join(bench.root, 'src/up'));
    expect(await bench.call('list', { glob: '**/*.ts' })).toBe('src/a.ts');
    expect(await bench.call('list', { path: 'src' })).toBe('a.ts\nup/');
  });

  it('reports paths that are not folders', async () => {
    const bench = toolBench({ a: '' });
    expect(await bench.refusal('list', { path: 'a' })).toBe('a is a file; use read.');
    expect(await bench.refusal('list', { path: 'b' })).toMatch(/^b does not exist/);
    expect(await toolBench().call('list', {})).toBe('[empty]');
  });

  it('escapes control characters in names', async () => {
    expect(await toolBench({ 'a\u{1b}[2Jb': '' }).call('list', {})).toBe('a\\u{1b}[2Jb');
  });

  it('refuses a glob that is too long', async () => {
    expect(await toolBench(files).refusal('list', { glob: '*'.repeat(501) })).toMatch(
      /longer than 500 characters/,
    );
  });
});
