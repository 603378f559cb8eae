import { describe, expect, it } from 'vitest';
import { createRandom, plainCopy, similarTo } from '../../../src/repair/trial/similar-values.ts';

function many(seen: readonly unknown[], count = 300): unknown[] {
  const random = createRandom(7);
  return Array.from({ length: count }, () => similarTo(seen, random));
}

describe('similarTo', () => {
  it('gives the same row for the same seed, and another for another', () => {
    const row = (seed: number): number[] => Array.from({ length: 5 }, createRandom(seed));
    expect(row(1)).toEqual(row(1));
    expect(row(1)).not.toEqual(row(2));
  });

  it('keeps whole numbers whole and those above zero above it', () => {
    const values = many([3, 12, 40]) as number[];
    expect(values.every((value) => Number.isInteger(value) && value >= 1)).toBe(true);
    expect(values.some((value) => value > 40)).toBe(true);
    expect((many([0.5, 2]) as number[]).some((value) => !Number.isInteger(value))).toBe(true);
    expect((many([-3, 2]) as number[]).some((value) => value < -3)).toBe(true);
  });

  it('makes strings of the characters and words that were seen', () => {
    const values = many(['ab-c', 'b']) as string[];
    expect(values.every((value) => /^[abc-]+$/.test(value))).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(50);
    const sentences = many(['red fox runs', 'blue dog']) as string[];
    expect(sentences.some((text) => /^(red|fox|runs|blue|dog)( (red|fox|runs|blue|dog))+$/.test(text))).toBe(
      true,
    );
  });

  it('makes lists about as long, and keeps the places of a pair apart', () => {
    const lists = many([[1, 2, 3]]) as number[][];
    expect(lists.every((list) => list.length >= 3 && list.length <= 5)).toBe(true);
    const pairs = many([
      ['a', 1],
      ['b', 2],
    ]) as [string, number][];
    expect(pairs.every(([name, count]) => typeof name === 'string' && typeof count === 'number')).toBe(true);
  });

  it('leaves out only the keys that some record does without', () => {
    const records = many([{ id: 1, tag: 'x' }, { id: 2 }]) as { id?: number; tag?: string }[];
    expect(records.every((record) => record.id !== undefined)).toBe(true);
    expect(new Set(records.map((record) => 'tag' in record))).toEqual(new Set([true, false]));
  });
});

describe('plainCopy', () => {
  it('shares nothing that can change', () => {
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
    ['more than it should hold', Array.from({ length: 500 }, (_, index) => [index])],
  ])('refuses %s', (_name, value) => {
    expect(plainCopy(value)).toBeUndefined();
  });
});
