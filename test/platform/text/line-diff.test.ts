import { describe, expect, it } from 'vitest';
import { countChangedLines, countLines, unifiedDiff } from '../../../src/platform/text/line-diff.ts';

describe('countChangedLines', () => {
  it.each([
    ['equal texts', 'a\nb\n', 'a\nb\n', 0, 0],
    ['a line put in', 'a\nc\n', 'a\nb\nc\n', 1, 0],
    ['a line replaced', 'a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a text written into an empty file', '', 'a\nb\n', 2, 0],
    ['a text removed', 'a\nb', '', 0, 2],
  ])('counts %s', (_, before, after, additions, deletions) => {
    expect(countChangedLines(before, after)).toEqual({ additions, deletions });
  });

  it('counts texts with nothing in common as replaced, without a search for the shortest diff', () => {
    const lines = (letter: string): string =>
      Array.from({ length: 20_000 }, (_, at) => `${letter}${at}\n`).join('');
    expect(countChangedLines(lines('a'), lines('b'))).toEqual({ additions: 20_000, deletions: 20_000 });
  });
});

describe('unifiedDiff', () => {
  it('is a patch that git applies', () => {
    expect(unifiedDiff('src/a.ts', 'one\ntwo\n', 'one\n2\n')).toBe(
      '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    );
  });

  it('is empty for equal texts', () => {
    expect(unifiedDiff('a', 'same', 'same')).toBe('');
  });
});

describe('countLines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
  ])('%j has %i', (text, count) => {
    expect(countLines(text)).toBe(count);
  });
});
