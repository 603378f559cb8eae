import { expect, test } from 'vitest';
import { escapeRegExp } from '../../../src/platform/text/escape-regexp.ts';

test('every sign of a text is matched literally', () => {
  const text = String.raw`a.b*c+?^$ {1}(d)|[e]\f`;
  expect(text).toMatch(new RegExp(`^${escapeRegExp(text)}$`));
  expect('axb').not.toMatch(new RegExp(escapeRegExp('a.b')));
});
