import { describe, expect, it } from 'vitest';
import { parseRetryAfter, waitBefore } from '../../../src/agents/llm/retry.ts';

describe('waitBefore', () => {
  it.each([
    [2, 500],
    [3, 1000],
    [4, 2000],
  ])('try %i is %i ms without Retry-After', (attempt, delayMs) => {
    expect(waitBefore(attempt, undefined, 60_000)).toBe(delayMs);
  });

  it.each([
    ['the delay that the server asks for', 7000, 7000],
    ['zero if the server asks for zero', 0, 0],
    ['rounded to milliseconds', 12.6, 13],
    ['limited to the maximum', 999_999_000, 60_000],
  ])('is %s', (_name, asked, delayMs) => {
    expect(waitBefore(2, asked, 60_000)).toBe(delayMs);
  });

  it('is limited to the maximum without Retry-After as well', () => {
    expect(waitBefore(30, undefined, 5)).toBe(5);
  });
});

describe('parseRetryAfter', () => {
  const NOW = Date.parse('2025-03-01T12:00:00Z');

  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a fraction of a second', { 'retry-after': ' 0.5 ' }, 500],
    ['zero', { 'retry-after': '0' }, 0],
    ['milliseconds', { 'retry-after-ms': '1234' }, 1234],
    ['milliseconds rather than seconds', { 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    ['seconds if the milliseconds are empty', { 'retry-after-ms': '', 'retry-after': '9' }, 9000],
    ['seconds if the milliseconds are invalid', { 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
    ['a date', { 'retry-after': 'Sat, 01 Mar 2025 12:01:30 GMT' }, 90_000],
    ['a past date', { 'retry-after': 'Sat, 01 Mar 2025 11:59:00 GMT' }, undefined],
    ['a very long time', { 'retry-after': '999999' }, 999_999_000],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['a negative number of milliseconds', { 'retry-after-ms': '-5' }, undefined],
    ['text', { 'retry-after': 'soon, I promise' }, undefined],
    ['text with a year', { 'retry-after': 'maybe 2099' }, undefined],
    ['an invalid date', { 'retry-after': 'Sun, 99 Foo 2025' }, undefined],
    ['a hexadecimal number', { 'retry-after': '0x10' }, undefined],
    ['an empty value', { 'retry-after': '' }, undefined],
    ['no header', {}, undefined],
  ])('reads %s', (_name, headers, ms) => {
    expect(parseRetryAfter(headers, NOW)).toBe(ms);
  });
});
