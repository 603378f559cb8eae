import { describe, expect, it } from 'vitest';
import { findLessons, type LessonQuery } from '../../../src/memory/recall/search-lessons.ts';
import { lesson } from '../lessons/sample.ts';

const LESSONS = [
  lesson('parseDate drops the last day of a month', { type: 'pitfall', files: ['src/date.ts'] }),
  lesson('Prices are rounded last, in cents', { type: 'convention', fingerprints: ['0123456789ab'] }),
  lesson('Run the tests with `npm test`', { type: 'command', status: 'staged' }),
  lesson('Prices were kept as floats', { type: 'convention', status: 'archived' }),
  lesson('Rounding is done by roundTo, rounding each line', {
    type: 'convention',
    evidence: [{ quote: 'expected 1.25 to be 1.3' }],
  }),
];

const found = (query: LessonQuery): string[] =>
  findLessons(LESSONS, query).map(({ text }) => text.split(' ')[0]!.replace(',', ''));

describe('findLessons', () => {
  it.each<[string, LessonQuery, string[]]>([
    ['nothing: those that stand, in their order', {}, ['parseDate', 'Prices', 'Run', 'Rounding']],
    ['white space', { words: ' \t' }, ['parseDate', 'Prices', 'Run', 'Rounding']],
    ['a word, and where it occurs twice first', { words: 'round' }, ['Rounding', 'Prices']],
    ['several words, which must all occur', { words: 'rounded cents' }, ['Prices']],
    ['words of which one is nowhere', { words: 'rounded zebra' }, []],
    ['the beginning of a word', { words: 'pric' }, ['Prices']],
    ['a word of a quote', { words: '1.25' }, ['Rounding']],
    ['a path', { words: 'src/date.ts' }, ['parseDate']],
    ['parts of a name', { words: 'parse date' }, ['parseDate']],
    ['a type as a word', { words: 'command' }, ['Run']],
    ['a status', { statuses: ['archived'] }, ['Prices']],
    ['types', { types: ['pitfall', 'command'] }, ['parseDate', 'Run']],
    ['a file by its name', { file: 'date.ts' }, ['parseDate']],
    ['a file by its path', { file: './src/*.ts' }, ['parseDate']],
    ['a failure', { fingerprint: '0123456789ab' }, ['Prices']],
    ['at most so many', { limit: 2 }, ['parseDate', 'Prices']],
  ])('finds by %s', (_, query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it('refuses words without a letter or digit', () => {
    expect(() => findLessons(LESSONS, { words: '=> ?' })).toThrow(/"=> \?" cannot be searched for/);
  });

  it('refuses an empty glob, as the search of reflections does', () => {
    expect(() => findLessons([], { file: '' })).toThrow(
      expect.objectContaining({ message: '--file "" is not a glob.', exitCode: 2 }),
    );
  });

  it('weights words by the whole store, so that a filter does not change the order', () => {
    const common = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      lesson(`cart ${name}`, { status: 'archived', created_at: '2025-01-01T00:00:00.000Z' }),
    );
    const two = [lesson('cart cart total'), lesson('cart total total')];
    for (const query of [{}, { statuses: ['staged'] }, { types: ['pitfall'] }] as const)
      expect(
        findLessons([...two, ...common], { ...query, words: 'cart total' }).map(({ text }) => text),
      ).toEqual(['cart total total', 'cart cart total']);
  });
});
