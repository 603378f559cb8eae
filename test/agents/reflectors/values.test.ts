import { describe, expect, it } from 'vitest';
import { compareValues } from '../../../src/agents/reflectors/values.ts';

describe('compareValues', () => {
  const boundary: [string, string, string][] = [
    ['4', '3', 'is one too low'],
    ['4', '5', 'is one too high'],
    ['1.5', '2.5', 'is one too high'],
    ['4', 'undefined', 'is undefined where a value was expected'],
    ['"a"', 'null', 'is null where a value was expected'],
    ['null', 'undefined', 'is undefined where null was expected'],
    ['4', 'NaN', 'is NaN where a value was expected'],
    ["'abc'", "''", 'is an empty string where a value was expected'],
    ['[1]', '[]', 'is an empty list where a value was expected'],
    ['[]', '[ 1, 2, 3 ]', 'is a value where an empty list was expected'],
    ['{"a":1}', 'Object {}', 'is an empty object where a value was expected'],
    ['[1, 2, 3]', '[1, 2]', 'has one item too few'],
    ['Array [\n  1,\n  2,\n]', 'Array [\n  1,\n  2,\n  3,\n]', 'has one item too many'],
    ['"abcd"', '"abc"', 'is one character too short'],
    ["'abc'", "'abcd'", 'is one character too long'],
  ];
  it.each(boundary)('expected %j, received %j: %s, a boundary case', (expected, received, relation) => {
    expect(compareValues(expected, received)).toMatchObject({ relation, boundary: true });
  });

  const inner: [string, string, string][] = [
    ['119', '100', 'is 19 too low'],
    ['0.3', '0.30000000000000004', 'is 5.55112e-17 too high'],
    ['5', '-5', 'has the opposite sign'],
    ['true', 'false', 'is false, the opposite'],
    ['[1, 2, 3]', '[3, 2, 1]', 'has the right items in another order'],
    ['[1, 2, 3]', '[1, 9, 3]', 'differs first at index 1'],
    ['[1, 2, 3]', '[1]', 'has 1 item instead of 3'],
    ['"Hello"', '"hello"', 'differs only in case'],
    ['"a b"', '"a  b"', 'differs only in white space'],
    ['"abcdef"', '"abXdef"', 'differs from character 3 on'],
    ['"abc"', '"abcdef"', 'differs from character 4 on'],
    ['"😀a"', '"😀b"', 'differs from character 2 on'],
  ];
  it.each(inner)('expected %j, received %j: %s, not a boundary case', (expected, received, relation) => {
    expect(compareValues(expected, received)).toMatchObject({ relation, boundary: false });
  });

  it.each([
    ['3', '3'],
    ['[1]', '[1]'],
    ['"a"', '"a"'],
    ['null', 'null'],
    ['{"a":1}', '{"a":2}'],
    ['3', '"3"'],
  ])('returns undefined for %j and %j', (expected, received) => {
    expect(compareValues(expected, received)).toBeUndefined();
  });
});
