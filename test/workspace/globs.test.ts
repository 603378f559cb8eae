import { describe, expect, it } from 'vitest';
import { matcherOf } from '../../src/workspace/globs.ts';

describe('matcherOf', () => {
  it.each([
    ['.npmrc', '.npmrc', true],
    ['.npmrc', 'packages/a/.npmrc', true],
    ['.npmrc', 'packages/.npmrc/file', true],
    ['.npmrc', 'packages/x.npmrc', false],
    ['.npmrc', 'packages/.npmrc.bak', false],
    ['nx.json', 'nxxjson', false],
    ['__mocks__', 'src/__mocks__/fs.js', true],
    ['*.test.js', 'src/a.test.js', true],
    ['{a,b}.js', 'src/b.js', true],
    ['/.aiwg', '.aiwg/ralph/x', true],
    ['/.aiwg', 'docs/.aiwg', false],
    ['src/a.js', 'src/a.js', true],
    ['src/a.js', 'packages/src/a.js', false],
    ['src/[id].js', 'src/[id].js', true],
    ['src/a.js/', 'src/a.js/b', true],
    ['src/*.js', 'src/a.js', true],
    ['src/*.js', 'src/deep/a.js', false],
    ['src/*', 'src/deep/a.js', true],
    ['**/{test,spec}/**', 'lib/test/a.js', true],
    ['**/{test,spec}/**', 'lib/latest/a.js', false],
    ['/dist', 'dist/a/b/c.js', true],
    ['/', 'src/a.js', true],
    ['./', 'a.js', true],
    ['.', 'a.js', true],
  ])('says of %s and %s: %s', (glob, path, matches) => {
    expect(matcherOf([glob])(path)).toBe(matches);
    expect(matcherOf(['never', 'never-*', glob])(path)).toBe(matches);
  });

  it('says the same of a folder each time', () => {
    const isMatch = matcherOf(['build', 'docs/*.md', '/out']);
    const paths = ['a/build/b', 'a/b', 'a/build/c/d', 'a', 'docs/a.md', 'docs/a.md/b', 'a/out/b', 'out/b'];
    const expected = [true, false, true, false, true, true, false, true];
    for (const _ of [1, 2]) expect(paths.map(isMatch)).toEqual(expected);
  });

  it('matches nothing without globs', () => {
    expect(matcherOf([])('a')).toBe(false);
  });
});
