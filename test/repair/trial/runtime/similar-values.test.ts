import { describe, expect, it } from 'vitest';
import { createRandom, plainCopy, similarTo } from '../../../../src/repair/trial/runtime/similar-values.ts';

function many(seen: readonly unknown[], count = 300): unknown[] {
  const random = createRandom(7);
  return Array.from({ length: count }, () => similarTo(seen, random));
}

describe('similarTo', () => {
  it('returns the same values for the same seed, others for another seed', () => {
    const valuesFor = (seed: number): number[] => Array.from({ length: 5 }, createRandom(seed));
    expect(valuesFor(1)).toEqual(valuesFor(1));
    expect(valuesFor(1)).not.toEqual(valuesFor(2));
  });

  it('returns integers for integers and positive numbers for positive ones', () => {
    const values = many([3, 12, 40]) as number[];
    expect(values.every((value) => Number.isInteger(value) && value >= 1)).toBe(true);
    expect(values.some((value) => value > 40)).toBe(true);
    expect((many([0.5, 2]) as number[]).some((value) => !Number.isInteger(value))).toBe(true);
    expect((many([-3, 2]) as number[]).some((value) => value < -3)).toBe(true);
  });

  it('returns strings of the characters and words seen', () => {
    const values = many(['ab-c', 'b']) as string[];
    expect(values.every((value) => /^[abc-]+$/.test(value))).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(50);
    const sentences = many(['red fox runs', 'blue dog']) as string[];
    expect(sentences.some((text) => /^(red|fox|runs|blue|dog)( (red|fox|runs|blue|dog))+$/.test(text))).toBe(
      true,
    );
  });

  it('returns lists of similar length, and tuples with each place of its own kind', () => {
    const lists = many([[1, 2, 3]]) as number[][];
    expect(lists.every((list) => list.length >= 3 && list.length <= 5)).toBe(true);
    const pairs = many([
      ['a', 1],
      ['b', 2],
    ]) as [string, number][];
    expect(pairs.every(([name, count]) => typeof name === 'string' && typeof count === 'number')).toBe(true);
  });

  it('leaves out only keys that some record lacks', () => {
    const records = many([{ id: 1, tag: 'x' }, { id: 2 }]) as { id?: number; tag?: string }[];
    expect(records.every((record) => record.id !== undefined)).toBe(true);
    expect(new Set(records.map((record) => 'tag' in record))).toEqual(new Set([true, false]));
  });
});

describe('plainCopy', () => {
  it('copies nested values', () => {
    const original = { list: [{ deep: 1 }], text: 'a' };
    const copied = plainCopy(original)!.copy as typeof original;
    copied.list[0]!.deep = 2;
    expect(original.list[0]!.deep).toBe(1);
    expect(copied.text).toBe('a');
  });

  it.each([
    ['a function', () => 1],
    ['an instance', new URL('http://a.example')],
    ['a map', [new Map()]],
    ['a value of more than 400 parts', Array.from({ length: 500 }, (_, index) => [index])],
  ])('refuses %s', (_name, value) => {
    expect(plainCopy(value)).toBeUndefined();
  });
});
