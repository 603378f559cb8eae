import { describe, expect, it } from 'vitest';
import { patchOf } from '../../../src/repair/strategy/change-text.ts';
import { applyEdits, type Candidate, type Edit } from '../../../src/repair/syntax/edit.ts';
import { patched } from '../../../bench/datasets/alternatives.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function candidate(...edits: Omit<Edit, 'file'>[]): Candidate {
  const placed = edits.map((edit) => ({ file: 'src/a.js', ...edit }));
  return { edits: placed, operator: 'test', line: 1, signature: '', prior: 1 };
}

function replacing(text: string, before: string, after: string): Omit<Edit, 'file'> {
  const start = text.indexOf(before);
  return { start, end: start + before.length, replacement: after };
}

describe('patchOf', () => {
  const ended = `${LINES.join('\n')}\n`;
  const cut = LINES.join('\n');
  it.each([
    ['a word in the middle', ended, ['five', 'FIVE']],
    ['the first line', ended, ['one', 'ONE']],
    ['the last line', ended, ['ten', 'TEN']],
    ['a line more', ended, ['five', 'five\nfive and a half']],
    ['a line less', ended, ['five\n', '']],
    ['the last line of a text that does not end it', cut, ['ten', 'TEN']],
    ['the first line of a text that does not end its last', cut, ['one', 'ONE']],
    ['a line before the end of a text that does not end its last', cut, ['nine', 'nine\nnine and a half']],
  ])('is for git apply: %s', async (_name, text, [before, after]) => {
    const change = candidate(replacing(text, before!, after!));
    expect(await patched('src/a.js', text, patchOf(text, change))).toBe(applyEdits(text, change.edits));
  });

  it('holds edits that are far apart', async () => {
    const change = candidate(replacing(ended, 'two', 'TWO'), replacing(ended, 'nine', 'NINE'));
    expect(await patched('src/a.js', ended, patchOf(ended, change))).toBe(applyEdits(ended, change.edits));
  });
});
