import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { changedLines } from '../../bench/fix-commits/changed-lines.ts';
import { fixCommitsIn } from '../../bench/fix-commits/fix-commits-in.ts';
import { temporaryFolder, writeFiles, type Files } from '../support/repositories.ts';

const BEFORE = 'export function f(a: number) {\n  // one\n  return a;\n}\n';

describe('changedLines', () => {
  it.each([
    ['a changed value', BEFORE, BEFORE.replace('return a', 'return -a'), 2],
    ['a changed comment', BEFORE, BEFORE.replace('// one', '// two'), 0],
    ['a removed comment', BEFORE, BEFORE.replace('  // one\n', ''), 0],
    ['a changed type', BEFORE, BEFORE.replace('number', 'string'), 0],
    ['changed indentation', BEFORE, BEFORE.replace('  return', '      return'), 0],
    ['an added line', BEFORE, BEFORE.replace('  return', '  if (!a) return 0;\n  return'), 1],
    ['text that does not parse', 'a b c\n', 'a b d\n', 2],
  ])('counts lines of code: %s', (_, before, after, count) => {
    expect(changedLines('a.ts', before, after)).toBe(count);
  });
});

describe('fixCommitsIn', () => {
  it('returns commits whose message says fix and that change a test and few lines of existing sources', () => {
    const root = temporaryFolder();
    const git = (...args: string[]): string =>
      execaSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...args]).stdout;
    const commit = (message: string, files: Files): string => {
      writeFiles(root, files);
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
      return git('rev-parse', 'HEAD').trim();
    };
    git('init', '--quiet');
    const long = Array.from({ length: 9 }, (_, index) => `export const a${index} = ${index};\n`).join('');
    commit('feat: start', { 'src/a.ts': 'export const a = 1;\n', 'test/a.test.ts': '1;\n' });
    const small = commit('fix(a): be two', { 'src/a.ts': 'export const a = 2;\n', 'test/a.test.ts': '2;\n' });
    commit('fix: without a test', { 'src/a.ts': 'export const a = 3;\n' });
    commit('refactor: no fix', { 'src/a.ts': 'export const a = 4;\n', 'test/a.test.ts': '4;\n' });
    commit('fix: too much', { 'src/a.ts': long, 'test/a.test.ts': '5;\n' });
    commit('fix: a new file', { 'src/b.ts': 'export const b = 1;\n', 'test/a.test.ts': '6;\n' });
    commit('fix: only a comment', { 'src/a.ts': `// well\n${long}`, 'test/a.test.ts': '7;\n' });
    expect([...fixCommitsIn(root)]).toEqual([
      { sha: small, subject: 'fix(a): be two', tests: ['test/a.test.ts'], sources: ['src/a.ts'], lines: 2 },
    ]);
    const all = [...fixCommitsIn(root, { sources: 2, lines: Infinity })];
    expect(all.map(({ subject }) => subject)).toEqual(['fix: too much', 'fix(a): be two']);
  });
});
