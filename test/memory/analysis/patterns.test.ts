import { describe, expect, it } from 'vitest';
import { findPatterns, normaliseStatement } from '../../../src/memory/analysis/patterns.ts';
import { sampleReflection, toRecord } from '../sample.ts';

const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;

describe('findPatterns', () => {
  const records = [
    sampleReflection({
      loop: 'ralph-a',
      timestamp: at(1),
      lessons: ['Check src/a.ts:12 first.'],
      insights: ['One'],
    }),
    sampleReflection({
      loop: 'ralph-b',
      timestamp: at(3),
      lessons: ['check  SRC/a.ts:99 first'],
      insights: ['Two'],
    }),
    sampleReflection({
      loop: 'ralph-b',
      iteration: 1,
      timestamp: at(2),
      lessons: ['Something else', 'Something else'],
      insights: ['Three'],
      category: 'logic_error',
      files: ['src/other.ts'],
    }),
  ].map(toRecord);

  it('returns a statement of two reflections in the newest wording, with its count and paths', () => {
    const lesson = findPatterns(records).find(({ kind }) => kind === 'lesson');
    expect(lesson).toEqual({
      kind: 'lesson',
      text: 'check  SRC/a.ts:99 first',
      count: 2,
      loops: 2,
      where: ['.aiwg/ralph/reflections/ralph-a/001.json', '.aiwg/ralph/reflections/ralph-b/001.json'],
    });
  });

  it('counts a reflection once, and leaves out statements of a single reflection', () => {
    const texts = findPatterns(records).map(({ kind, text, count }) => `${kind} ${text} ${count}`);
    expect(texts).toEqual([
      'file src/parse.ts 3',
      'category edge_case_miss 2',
      'lesson check  SRC/a.ts:99 first 2',
    ]);
  });

  it('accepts another threshold', () => {
    expect(findPatterns(records, 3).map(({ text }) => text)).toEqual(['src/parse.ts']);
    expect(findPatterns(records, 1).some(({ text }) => text === 'Something else')).toBe(true);
  });

  it('counts failing rules', () => {
    const error = {
      ...{ type: 'type_error' as const, message: 'x', severity: 'error' as const, check: 'types' },
      ...{ fingerprint: '0123456789ab', rule: 'TS2345' },
    };
    const both = [0, 1].map((iteration) => toRecord(sampleReflection({ iteration, errors: [error, error] })));
    const rule = findPatterns(both).find(({ kind }) => kind === 'rule');
    expect(rule).toMatchObject({ text: 'TS2345', count: 2, loops: 1 });
  });
});

describe('normaliseStatement', () => {
  it.each([
    ['Check src/a.ts:12.', 'check SRC/a.ts:7:3'],
    ['See line 3, then stop!', 'see  line 44 then stop'],
    ['`x` is “null”', 'x is null'],
  ])('maps %j and %j to the same text', (a, b) => {
    expect(normaliseStatement(a)).toBe(normaliseStatement(b));
  });

  it.each([
    ['expected 3', 'expected 4'],
    ['src/a.ts', 'src/b.ts'],
    ['Größe', 'Grosse'],
  ])('maps %j and %j to different texts', (a, b) => {
    expect(normaliseStatement(a)).not.toBe(normaliseStatement(b));
  });
});
