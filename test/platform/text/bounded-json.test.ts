import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from '../../../src/platform/text/bounded-json.ts';

describe('JSON from outside', () => {
  it.each(['{"a":[1,"]]]{{{",null]}', '"[[[["', '"\\\\"', '"\\"[["', ' [ ] '])('is parsed: %s', (text) => {
    expect(parseBoundedJson(text, { maxDepth: 2 })).toEqual(JSON.parse(text));
  });

  it.each([
    ['[[[1]]]', { maxDepth: 2 }, 'it is nested deeper than 2 levels'],
    ['["a\\"",[{}]]', { maxDepth: 2 }, 'it is nested deeper than 2 levels'],
    ['[1,2,3,4]', { maxParts: 3 }, 'it has more than 3 parts'],
    ['"long"', { maxChars: 5 }, 'it has 6 characters; at most 5 are read'],
  ])('is refused: %s within %j', (text, bounds, message) => {
    expect(() => parseBoundedJson(text, bounds)).toThrow(new SyntaxError(message));
  });

  it('is refused if it is invalid', () => {
    expect(() => parseBoundedJson('{"a":')).toThrow(SyntaxError);
    expect(() => parseBoundedJson('"open')).toThrow(SyntaxError);
  });
});
