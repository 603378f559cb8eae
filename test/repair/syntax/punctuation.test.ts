import { expect, it } from 'vitest';
import { caseStrings } from '../../../src/repair/syntax/case-strings.ts';
import { literalPool, NO_HINTS } from '../../../src/repair/syntax/literals.ts';
import { punctuationIn } from '../../../src/repair/syntax/punctuation.ts';

const ASCII = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

it('is every mark of a keyboard, and those of other languages', () => {
  expect(punctuationIn(ASCII.join(''))).toEqual(ASCII.filter((character) => /[^\w\s]/.test(character)));
  expect(punctuationIn('—«»…€。')).toEqual([...'—«»…€。']);
});

it.each(['é', 'e\u0301', '日本', 'ß', '٣', 'ई', '😀', '\ud83d', 'a_b', '\u200d\ufe0f', ' \t'])(
  'is nothing in %j',
  (text) => {
    expect(punctuationIn(text)).toEqual([]);
  },
);

const ACCENTS = 'café 日本 😀-x';

it('differs between a received and an expected string by whole characters', () => {
  const hints = { ...NO_HINTS, received: ["'a😀b'"], expected: ["'a😁b'"] };
  expect(literalPool([], hints).differences).toEqual([{ from: '😀', to: '😁' }]);
});

it('tells cases apart without letters and halves of emoji', () => {
  const test = `it('a', () => expect(f('${ACCENTS}')).toBe(1));`;
  expect(caseStrings('a.test.js', test, { lines: [1], quoted: [], titles: [] }).marks).toEqual(['-']);
  const { marks } = literalPool([], { ...NO_HINTS, near: [`${ACCENTS} and more`] });
  expect(marks).toEqual(["'-'"]);
});
