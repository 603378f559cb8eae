import { describe, expect, it } from 'vitest';
import {
  redact,
  redactKnown,
  redactValue,
  bringsMarker,
  REDACTED,
} from '../../../src/platform/redaction/redact.ts';

describe('the value of a variable', () => {
  it.each([
    ['a word', { DB_PASSWORD: 'postgres' }, 'src/postgres/index.ts'],
    [
      'a path',
      { SSH_AUTH_SOCK: '/tmp/ssh-1/agent.1', GOOGLE_APPLICATION_CREDENTIALS: '/home/u/k.json' },
      '/tmp/ssh-1/agent.1 /home/u/k.json',
    ],
    ['a number', { API_KEY: '12345678' }, 'took 12345678 ns'],
    ['a flag', { USE_TOKEN: 'enabled' }, 'enabled'],
    ['that of another variable', { HOME: '/root/x9y8z7w6', EDITOR: 'x9y8z7w6v5' }, 'x9y8z7w6v5'],
  ])('is not redacted if it is %s', (_name, env, text) => {
    expect(redact(text, env)).toBe(text);
  });

  it('includes the password of a URL, plain and decoded', () => {
    const env = { DATABASE_URL: 'postgres://app:p%40ss9word@db/app' };
    expect(redact('p%40ss9word and p@ss9word', env)).toBe(`${REDACTED} and [***]`);
  });

  it('is redacted line by line for a key, except for its first line', () => {
    const line = 'MIIEpAIBAAKCAQEA1234567890abcdefghijklmnop';
    const env = { SIGNING_KEY: `-----BEGIN KEY-----\n${line}\n-----END KEY-----` };
    expect(redact(`-----BEGIN KEY-----\n${line}`, env)).toBe(`-----BEGIN KEY-----\n${REDACTED}`);
  });

  it('is redacted only as a whole word if it is short', () => {
    expect(redact('abc12x zabc12x', { A_TOKEN: 'abc12x' })).toBe('[***] zabc12x');
  });

  it('is read again when the environment changes', () => {
    expect(redact('say tomato-soup', { A_KEY: 'tomato-soup' })).toBe(`say ${REDACTED}`);
    expect(redact('say tomato-soup', { A_KEY: 'other-soup' })).toBe('say tomato-soup');
  });
});

describe('a diff', () => {
  it('is redacted for values of variables, but not for text that looks like a secret', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const diff = `-const a = '${key}';\n+const a = 'tomato-soup';\n`;
    expect(redactKnown(diff, { A_KEY: 'tomato-soup' })).toBe(
      `-const a = '${key}';\n+const a = '${REDACTED}';\n`,
    );
  });
});

describe('a value', () => {
  it('is the same object if nothing was redacted', () => {
    const value = { a: ['text', 1, null], b: { c: new Date(0), d: new Uint8Array(2) } };
    expect(redactValue(value, {})).toBe(value);
  });

  it('is redacted in fields with secret names only', () => {
    const value = {
      user: 'bob',
      password: 'hunter22hunter22',
      token: 'identifier',
      total_tokens: 12_345_678,
    };
    expect(redactValue(value, {})).toEqual({ ...value, password: REDACTED });
  });
});

describe('an edit', () => {
  it.each([
    ['a', `a ${REDACTED}`, true],
    [`a ${REDACTED}`, `b ${REDACTED}`, false],
    [`a ${REDACTED}`, `${REDACTED} ${REDACTED}`, true],
    ['a', 'b', false],
  ])('from %j to %j adds a marker: %s', (before, after, brings) => {
    expect(bringsMarker(before, after)).toBe(brings);
  });
});
