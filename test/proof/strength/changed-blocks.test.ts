import { describe, expect, it } from 'vitest';
import { changedBlocks } from '../../../src/proof/strength/changed-blocks.ts';

const diff = (name: string, ...body: string[]): string =>
  [`diff --git a/${name} b/${name}`, `--- a/${name}`, `+++ b/${name}`, ...body].join('\n');

describe('changedBlocks', () => {
  it('splits a hunk at its context and keeps the lines of the base', () => {
    const patch = diff('a.js', '@@ -1,4 +1,4 @@', '-one', '+uno', ' two', '-three', ' four', '+five', '');
    expect(changedBlocks(patch)).toEqual([
      { file: 'a.js', line: 1, lines: 1, before: ['one'] },
      { file: 'a.js', line: 3, lines: 0, before: ['three'] },
      { file: 'a.js', line: 4, lines: 1, before: [] },
    ]);
  });

  it('takes lines that look like file headers for lines of code', () => {
    const patch = diff('a.js', '@@ -1,2 +1,2 @@', '--- x', '+++ y', ' z', '');
    expect(changedBlocks(patch)).toEqual([{ file: 'a.js', line: 1, lines: 1, before: ['-- x'] }]);
  });

  it('places lines that were removed from a file that is empty now at its first line', () => {
    expect(changedBlocks(diff('a.js', '@@ -1 +0,0 @@', '-one', ''))).toEqual([
      { file: 'a.js', line: 1, lines: 0, before: ['one'] },
    ]);
  });

  it('has no block of a deleted file', () => {
    const patch = 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n';
    expect(changedBlocks(patch)).toEqual([]);
  });

  it('reads names that git quotes', () => {
    const patch = `diff --git "a/\\303\\244 x.js" "b/\\303\\244 x.js"\n--- /dev/null\n+++ "b/\\303\\244 x.js"\n@@ -0,0 +1 @@\n+one\n`;
    expect(changedBlocks(patch)).toEqual([{ file: 'ä x.js', line: 1, lines: 1, before: [] }]);
  });
});
