import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import type { ReflectionRecord } from '../../../src/memory/episodes/reflection-files.ts';
import { scoreRecords } from '../../../src/memory/search/score.ts';
import { fullTextTerms, phrasesOf } from '../../../src/memory/text/full-text.ts';
import { parseSince, searchReflections, type ReflectionQuery } from '../../../src/memory/search/search.ts';
import { sampleAiwgRecord, sampleReflection, toRecord } from '../sample.ts';

const NOW = new Date('2026-02-01T00:00:00Z');
const LONG =
  'I changed the bound in src/parse.ts:12 and the same test failed again with the same values as before. ';

const records: ReflectionRecord[] = [
  toRecord(
    sampleReflection({
      loop: 'ralph-login',
      timestamp: '2026-01-10T00:00:00Z',
      task: 'Fix the LOGIN webhook',
      category: 'integration_error',
      confidence: 0.9,
      lessons: ['The webhook answers with an empty body.'],
      files: ['src/api/webhook.ts'],
    }),
  ),
  toRecord(
    sampleReflection({
      loop: 'ralph-parse',
      timestamp: '2026-01-31T20:00:00Z',
      text: `${LONG}The webhook was not at fault.`,
      category: 'edge_case_miss',
      confidence: 0.6,
      errors: [
        {
          type: 'test_failure',
          message: 'expected 3 to be 2',
          severity: 'error',
          check: 'tests',
          fingerprint: '0123456789ab',
          file: 'test/parse.test.ts',
          rule: 'parse > keeps Größe',
        },
      ],
    }),
  ),
  toRecord(
    sampleReflection({
      loop: 'ralph-parse',
      iteration: 1,
      timestamp: '2026-01-31T21:00:00Z',
      category: 'logic_error',
      confidence: 0.4,
    }),
  ),
  { path: 'a/001.json', number: 1, source: 'aiwg', reflection: sampleAiwgRecord() },
];

const found = (query: ReflectionQuery): string[] =>
  searchReflections(records, { now: NOW, ...query }).map(
    ({ record: { reflection } }) => `${reflection.loop_id.slice(6)}:${reflection.iteration}`,
  );

describe('searchReflections', () => {
  const table: [string, ReflectionQuery, string[]][] = [
    ['without conditions everything, newest first', {}, ['parse:1', 'parse:0', 'foreign:1', 'login:0']],
    ['a word anywhere, in any capitals', { words: ['WebHook'] }, ['foreign:1', 'login:0', 'parse:0']],
    ['only what has all words', { words: ['webhook', 'empty', 'login'] }, ['login:0']],
    ['a phrase', { words: ['empty body'] }, ['login:0']],
    ['words in errors and test names', { words: ['expected 3', 'größe'] }, ['parse:0']],
    ['decomposed letters too', { words: ['Gro\u0308ße'] }, ['parse:0']],
    ['nothing for a word that is nowhere', { words: ['webhook', 'nowhere'] }, []],
    ['everything for empty words', { words: [''] }, ['parse:1', 'parse:0', 'foreign:1', 'login:0']],
    [
      'one of several categories',
      { categories: ['integration_error', 'logic_error'] },
      ['parse:1', 'login:0'],
    ],
    [
      'no category for an empty list of them',
      { categories: [] },
      ['parse:1', 'parse:0', 'foreign:1', 'login:0'],
    ],
    ['a confidence that is reached', { minConfidence: 0.6 }, ['parse:0', 'login:0']],
    [
      'no record that states none, at any confidence',
      { minConfidence: 0 },
      ['parse:1', 'parse:0', 'login:0'],
    ],
    ['one loop', { loop: 'ralph-parse' }, ['parse:1', 'parse:0']],
    ['a file by its path', { file: 'src/api/webhook.ts' }, ['login:0']],
    ['a file by a glob', { file: 'src/**/*.ts' }, ['parse:1', 'parse:0', 'login:0']],
    ['a file by its name alone', { file: 'parse.test.*' }, ['parse:0']],
    ['a file with ./ before it', { file: './src/api/*' }, ['login:0']],
    ['the last hours', { since: '4h' }, ['parse:1', 'parse:0']],
    ['the last three hours', { since: '3h' }, ['parse:1']],
    ['the last days', { since: '15d' }, ['parse:1', 'parse:0', 'foreign:1']],
    ['since a date', { since: '2026-01-21' }, ['parse:1', 'parse:0']],
    ['no more than the limit', { limit: 2 }, ['parse:1', 'parse:0']],
    [
      'all conditions together',
      { words: ['webhook'], since: '30d', minConfidence: 0.5, limit: 1 },
      ['login:0'],
    ],
  ];
  it.each(table)('finds %s', (_, query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it('scores a lesson above an error message, and 0 without words', () => {
    const scores = searchReflections(records, { words: ['webhook'] }).map(({ score }) => score);
    const [, lesson, mention] = searchReflections(records, { words: ['webhook'] });
    expect([lesson, mention].map((match) => match!.record.reflection.loop_id)).toEqual([
      'ralph-login',
      'ralph-parse',
    ]);
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(searchReflections(records, {}).every(({ score }) => score === 0)).toBe(true);
  });

  it('matches the parts of a word such as a path in sequence, and longer words with the same beginning', () => {
    expect(found({ words: ['src/parse.ts:12'] })).toEqual(['login:0', 'parse:1', 'parse:0']);
    expect(found({ words: ['parse.src'] })).toEqual([]);
    expect(found({ words: ['webh'] })).toEqual(found({ words: ['webhook'] }));
    expect(found({ words: ['we'] })).toEqual([]);
    expect(found({ words: ['hook'] })).toEqual([]);
  });

  it('filters by fingerprint', () => {
    expect(found({ fingerprint: '0123456789ab' })).toEqual(['parse:0']);
    expect(found({ fingerprint: '0123456789' })).toEqual([]);
  });

  it.each([
    ['an empty glob', { file: '' }, '--file "" is not a glob.'],
    ['a glob for the root', { file: './' }, '--file "./" is not a glob.'],
    ['a day that does not exist', { since: '2026-02-30' }, '--since "2026-02-30" is not a time.'],
    [
      'an hour of such a day',
      { since: '2026-06-31T10:00:00Z' },
      '--since "2026-06-31T10:00:00Z" is not a time.',
    ],
  ] as const)('refuses %s', (_, query, message) => {
    expect(() => searchReflections(records, query)).toThrow(
      expect.objectContaining({ message, exitCode: ExitCode.usage }),
    );
  });

  it('accepts a month, and 29 February of a leap year', () => {
    expect(parseSince('2026-02', new Date()).toISOString()).toBe('2026-02-01T00:00:00.000Z');
    expect(parseSince('2028-02-29', new Date()).toISOString()).toBe('2028-02-29T00:00:00.000Z');
  });
});

describe('scoreRecords', () => {
  it('is BM25 with k1 1.2 and b 0.75 over weighted fields', () => {
    const fields = (task: string, lessons = ''): string[][] => [
      fullTextTerms(task),
      [],
      [],
      fullTextTerms(lessons),
      [],
    ];
    const store = [fields('a b'), fields('b c d e', 'b'), fields('c'), fields('d'), fields('d')];
    // Two of five records have b; 10 terms in 5 records; weight 2 in a task, 3 in a lesson.
    const idf = Math.log(3.5 / 2.5);
    const score = (weight: number, length: number): number =>
      (idf * weight * 2.2) / (weight + 1.2 * (0.25 + (0.75 * length) / 2));
    const [first, second, ...others] = scoreRecords(store, phrasesOf(['b']));
    expect(first).toBeCloseTo(score(2, 2), 11);
    expect(second).toBeCloseTo(score(5, 5), 11);
    expect(others).toEqual([undefined, undefined, undefined]);
    expect(scoreRecords(store, phrasesOf(['b', 'a']))[0]).toBeCloseTo(
      score(2, 2) + (Math.log(4.5 / 1.5) * 4.4) / (2 + 1.2),
      11,
    );
  });

  it('never lowers a score for a word of most records', () => {
    const store = [[['a']], [['a']], [['b']]].map(([task]) => [task!, [], [], [], []]);
    expect(scoreRecords(store, phrasesOf(['a']))[0]).toBeGreaterThan(0);
  });
});

describe('parseSince', () => {
  it.each([
    ['90m', '2026-01-31T22:30:00.000Z'],
    ['12h', '2026-01-31T12:00:00.000Z'],
    ['30d', '2026-01-02T00:00:00.000Z'],
    ['2w', '2026-01-18T00:00:00.000Z'],
    ['2026-01-25', '2026-01-25T00:00:00.000Z'],
    ['2026-01-25T10:00:00+02:00', '2026-01-25T08:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseSince(text, NOW).toISOString()).toBe(expected);
  });

  it.each(['', 'yesterday', '30', '-3d', '3 d', '2026-13-01', '1e3d', '99999999d'])('refuses %j', (text) => {
    expect(() => parseSince(text, NOW)).toThrow(expect.objectContaining({ code: 'usage', exitCode: 2 }));
  });
});
