import { describe, expect, it } from 'vitest';
import { cut, fill, fitLine, widthOf, wrapInto } from '../../../src/report/live/fit.ts';

const LABEL = 'next        ';

describe('cut and fill', () => {
  it.each([
    ['plain', 5],
    ['数字', 4],
    ['😀 ok', 5],
    ['👩‍👩‍👧', 2],
    ['e\u0301a', 2],
    ['\u001B[31mred\u001B[39m', 3],
  ])('%s is %i wide', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it.each([
    ['数字を足す', 6, '数字…'],
    ['😀😀😀', 5, '😀😀…'],
    ['short', 9, 'short'],
    ['a\tb\nc', 9, 'a b c'],
    ['anything', 0, ''],
  ])('%j in %i columns is %j', (text, columns, shown) => {
    expect(cut(text, columns)).toBe(shown);
    expect(widthOf(fill(text, columns))).toBe(columns);
  });

  it('keeps the end if asked to', () => {
    expect(cut('src/deep/folder/file.ts', 10, 'end')).toBe('…r/file.ts');
  });
});

describe('fitLine', () => {
  it('wraps between words', () => {
    expect(fitLine({ head: 'reflection  ', text: 'one two three four five six' }, 30)).toBe(
      'reflection  one two three four\n            five six',
    );
  });

  it('is limited to the maximum number of rows', () => {
    expect(wrapInto('one two three four five six', { columns: 9, rows: 2 })).toEqual([
      'one two',
      'three fo…',
    ]);
  });

  it('keeps the indentation of the text', () => {
    expect(fitLine({ head: '            ', text: '  at one two three four' }, 28)).toBe(
      '              at one two\n              three four',
    );
  });

  it('starts a word that does not fit further left', () => {
    expect(fitLine({ head: LABEL, text: `take ralph-${'x'.repeat(26)}` }, 40)).toBe(
      `${LABEL}take\n  ralph-${'x'.repeat(26)}`,
    );
  });

  it.each([
    ['cut', 'take a longer line th…'],
    ['tail', '…longer line than fits'],
  ] as const)('shortens a line with fit %s', (fit, shown) => {
    expect(fitLine({ head: LABEL, text: 'take a longer line than fits', fit }, 34)).toBe(`${LABEL}${shown}`);
  });

  it.each([
    [80, `${LABEL}ralph undo ralph-loop   reverts the change`],
    [53, `${LABEL}ralph undo ralph-loop  reverts the change`],
    [48, `${LABEL}reverts the change:\n  ralph undo ralph-loop`],
  ])('never wraps a command: %i columns', (columns, shown) => {
    expect(
      fitLine({ head: LABEL, text: 'ralph undo ralph-loop ', note: 'reverts the change' }, columns),
    ).toBe(shown);
  });
});
