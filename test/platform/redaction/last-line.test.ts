import { expect, it } from 'vitest';
import { followLastLine } from '../../../src/platform/redaction/last-line.ts';

const KEY = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

function follow(pieces: readonly (readonly [ms: number, text: string])[]): string[] {
  const lines: string[] = [];
  let now = 0;
  const push = followLastLine(
    (line) => lines.push(line),
    () => now,
  );
  for (const [ms, text] of pieces) {
    now = ms;
    push(text);
  }
  return lines;
}

it('passes on the last line, at most ten times a second', () => {
  const pieces = [
    [0, 'one\n'],
    [20, 'two\n'],
    [120, 'three\nfour\n'],
    [150, 'five\n'],
  ] as const;
  expect(follow(pieces)).toEqual(['one', 'four']);
});

it('shows no part of a secret that comes in two pieces', () => {
  const lines = follow([
    [0, `first\ntoken ${KEY.slice(0, 20)}`],
    [200, `${KEY.slice(20)}\n`],
    [400, 'last\n'],
  ]);
  expect(lines).toEqual(['first', expect.stringMatching(/^token /), 'last']);
  expect(lines.join(' ')).not.toContain(KEY.slice(0, 20));
});

it('shows no line whose beginning is no longer known', () => {
  expect(
    follow([
      [0, `${KEY}${'x'.repeat(40_000)}`],
      [200, `tail`],
      [400, `\nknown again\n`],
    ]),
  ).toEqual(['known again']);
});
