import { describe, expect, it } from 'vitest';
import { parseDurationMs, renderDuration } from '../../../src/platform/text/duration.ts';

describe('a duration', () => {
  it.each([
    [340, '340 ms'],
    [4_100, '4.1 s'],
    [59_949, '59.9 s'],
    [59_990, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_599_800, '1 h 0 min'],
    [12_000_000, '3 h 20 min'],
    [86_399_999, '1 d 0 h'],
    [187_200_000, '2 d 4 h'],
  ])('of %i ms is rendered as %s', (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });

  it.each([
    ['500ms', 500],
    ['1.5h', 5_400_000],
    ['10', undefined],
    ['-1s', undefined],
  ])('is parsed from %s', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });
});
