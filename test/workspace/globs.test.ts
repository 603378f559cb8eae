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
  ])('says of %s and %s: %s', (glob, path, matches) => {
    expect(matcherOf([glob])(path)).toBe(matches);
    expect(matcherOf(['never', 'never-*', glob])(path)).toBe(matches);
  });

  it('matches nothing without globs', () => {
    expect(matcherOf([])('a')).toBe(false);
  });
});
