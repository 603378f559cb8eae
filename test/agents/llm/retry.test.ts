import { describe, expect, it } from 'vitest';
import { parseRetryAfter, waitBefore } from '../../../src/agents/llm/retry.ts';

describe('the wait before a try', () => {
  it.each([
    [2, 500],
    [3, 1000],
    [4, 2000],
  ])('%i doubles to %i ms where the server asks for nothing', (attempt, delayMs) => {
    expect(waitBefore(attempt, undefined, 60_000)).toBe(delayMs);
  });

  it.each([
    ['what the server asks for', 7000, 7000],
    ['none where it asks for none', 0, 0],
    ['whole milliseconds', 12.6, 13],
    ['the longest that is allowed, however long it asks for', 999_999_000, 60_000],
  ])('is %s', (_name, asked, delayMs) => {
    expect(waitBefore(2, asked, 60_000)).toBe(delayMs);
  });

  it('is never longer than allowed by itself either', () => {
    expect(waitBefore(30, undefined, 5)).toBe(5);
  });
});

describe('Retry-After', () => {
  const NOW = Date.parse('2025-03-01T12:00:00Z');

  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['part of a second', { 'retry-after': ' 0.5 ' }, 500],
    ['no wait', { 'retry-after': '0' }, 0],
    ['milliseconds', { 'retry-after-ms': '1234' }, 1234],
    ['milliseconds rather than seconds', { 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    ['seconds where the milliseconds are empty', { 'retry-after-ms': '', 'retry-after': '9' }, 9000],
    ['seconds where the milliseconds are garbage', { 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
    ['a date', { 'retry-after': 'Sat, 01 Mar 2025 12:01:30 GMT' }, 90_000],
    ['a date that is past', { 'retry-after': 'Sat, 01 Mar 2025 11:59:00 GMT' }, undefined],
    ['an absurd time', { 'retry-after': '999999' }, 999_999_000],
    ['less than nothing', { 'retry-after': '-5' }, undefined],
    ['less than nothing in milliseconds', { 'retry-after-ms': '-5' }, undefined],
    ['garbage', { 'retry-after': 'soon, I promise' }, undefined],
    ['garbage with a year in it', { 'retry-after': 'maybe 2099' }, undefined],
    ['a date that is none', { 'retry-after': 'Sun, 99 Foo 2025' }, undefined],
    ['no number of the usual kind', { 'retry-after': '0x10' }, undefined],
    ['nothing', { 'retry-after': '' }, undefined],
    ['no header', {}, undefined],
  ])('is read where it is %s', (_name, headers, ms) => {
    expect(parseRetryAfter(headers, NOW)).toBe(ms);
  });
});
