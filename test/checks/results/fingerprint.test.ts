import { describe, expect, it } from 'vitest';
import { fingerprint, type FailureIdentity } from '../../../src/checks/results/fingerprint.ts';

const BASE: FailureIdentity = {
  check: 'tests',
  type: 'test_failure',
  file: 'a.js',
  rule: 'adds',
  message: '',
};

function of(message: string, rest: Partial<FailureIdentity> = {}): string {
  return fingerprint({ ...BASE, ...rest, message });
}

describe('fingerprint', () => {
  it('is twelve hexadecimal digits', () => {
    expect(of('expected 1 to be 2')).toMatch(/^[0-9a-f]{12}$/);
  });

  it.each([
    ['a moved line', 'thrown at src/a.ts:3:14', 'thrown at src/a.ts:40:2'],
    ['a moved line in words', 'see line 12, column 3', 'see line 13, column 9'],
    ['a moved place in parentheses', 'Unexpected token (3:7)', 'Unexpected token (4:7)'],
    ['a duration', 'Timeout of 2000ms exceeded', 'Timeout of 2013 ms exceeded'],
    ['a folder', 'open /tmp/ralph-a1b2/x.json', 'open /home/me/project/x.json'],
    ['an address', 'object at 0x7ffee1', 'object at 0x55ab00'],
    ['a port', 'connect localhost:40123', 'connect localhost:51234'],
    ['a time', 'since 2024-01-02T03:04:05.678Z', 'since 2025-11-12T13:14:15Z'],
    ['an id', 'job 123e4567-e89b-12d3-a456-426614174000', 'job 00000000-0000-4000-8000-000000000000'],
    ['colours', '\u001b[31mexpected\u001b[39m 1', 'expected 1'],
    ['white space', 'expected  1\n to be 2', 'expected 1 to be 2 '],
    ['the code frame of a message', 'bad\n> 3 | const x\n    | ^', 'bad\n> 9 | const x\n    |     ^'],
    ['frames in a message', 'bad\n    at f (src/a.js:1:2)', 'bad\n    at f (src/a.js:7:8)'],
  ])('stays the same with %s', (_what, before, after) => {
    expect(of(before)).toBe(of(after));
  });

  it.each([
    ['value', 'expected 1 to be 2', 'expected 1 to be 3'],
    ['text', `expected '/users/1'`, `expected '/users/2'`],
    ['name', 'x is not defined', 'y is not defined'],
  ])('differs with a %s of the message', (_what, one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  it('differs with check, type, file and test', () => {
    const all = [
      of('bad'),
      of('bad', { check: 'lint' }),
      of('bad', { type: 'runtime_error' }),
      of('bad', { file: 'b.js' }),
      of('bad', { rule: 'subtracts' }),
      of('bad', { test_id: 'a.js > adds #2' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
