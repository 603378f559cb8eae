import { describe, expect, test } from 'vitest';
import { neededParts } from '../../src/proof/needed-parts.ts';

/** Tries a change that passes if all of these sets of parts are in it as a whole or, for `unless`, not in it. */
async function tried(
  parts: readonly string[],
  passes: (has: (part: string) => boolean) => boolean,
  { kept = [], runs = 100 }: { readonly kept?: readonly string[]; readonly runs?: number } = {},
): Promise<{ readonly needed: string; readonly untried: string; readonly runs: number }> {
  let count = 0;
  const { needed, untried } = await neededParts(parts, {
    isKept: (part) => kept.includes(part),
    isLikely: (part) => part.endsWith('.js'),
    passes: (left) => {
      count += 1;
      const found = count > runs ? 'over' : passes((part) => left.includes(part));
      return Promise.resolve(found);
    },
  });
  return { needed: needed.join(' '), untried: untried.join(' '), runs: count };
}

describe('the parts of a change that it needs', () => {
  test.each<[string, string[], Parameters<typeof tried>[1], string, number]>([
    ['a part that is alone, without a trial', ['a.js'], () => false, 'a.js', 0],
    ['none of what is beside it, in one trial', ['a.js', 'b.md', 'c.yml'], (has) => has('a.js'), 'a.js', 1],
    [
      'one of those beside it',
      ['a.js', 'b.md', 'c.json', 'd.yml'],
      (has) => has('a.js') && has('c.json'),
      'a.js c.json',
      8,
    ],
    ['both sources', ['a.js', 'b.js'], (has) => has('a.js') && has('b.js'), 'a.js b.js', 2],
    [
      'not what only a part needs that is out itself',
      ['a.js', 'helper.js', 'user.js'],
      (has) => has('a.js') && (!has('user.js') || has('helper.js')),
      'a.js',
      5,
    ],
    ['one of two that do the same', ['a.js', 'b.js'], (has) => has('a.js') || has('b.js'), 'b.js', 1],
  ])('%s', async (_, parts, passes, needed, runs) => {
    expect(await tried(parts, passes)).toEqual({ needed, untried: '', runs });
  });

  test('keeps what is allowed, and is none the less strict with the rest', async () => {
    const found = await tried(['a.js', 'b.md', 'c.md'], (has) => has('a.js'), { kept: ['b.md'] });
    expect(found).toMatchObject({ needed: 'a.js b.md', untried: '' });
  });

  test('names what could not be tried in time', async () => {
    const found = await tried(['a.js', 'b.js', 'c.md'], () => false, { runs: 2 });
    expect(found).toEqual({ needed: 'a.js b.js c.md', untried: 'b.js', runs: 3 });
  });
});
