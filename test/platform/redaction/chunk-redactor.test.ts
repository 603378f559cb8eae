import { describe, expect, it } from 'vitest';
import { ChunkRedactor } from '../../../src/platform/redaction/chunk-redactor.ts';
import { REDACTED } from '../../../src/platform/redaction/redact.ts';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

describe('a text that comes in pieces', () => {
  it('is returned word by word', () => {
    const redactor = new ChunkRedactor({});
    expect(['All tests ', 'pass', 'ed.\nNow'].map((piece) => redactor.push(piece))).toEqual([
      'All tests ',
      '',
      'passed.\n',
    ]);
    expect(redactor.flush()).toBe('Now');
    expect(redactor.flush()).toBe('');
  });

  it('is redacted for a token that spans two pieces', () => {
    const redactor = new ChunkRedactor({});
    const shown = redactor.push(`use ${KEY.slice(0, 12)}`) + redactor.push(`${KEY.slice(12)} now`);
    expect(shown + redactor.flush()).toBe(`use ${REDACTED} now`);
  });

  it('is held back until the end of the line after a label', () => {
    const redactor = new ChunkRedactor({});
    expect(redactor.push('the password: ')).toBe('the ');
    expect(redactor.push('"hunter22hunter22"\n')).toBe(`password: "${REDACTED}"\n`);
  });

  it('is held back until the end of a private key', () => {
    const redactor = new ChunkRedactor({});
    const line = 'MIIEpAIBAAKCAQEA1234567890abcdefghijklmnop';
    expect(redactor.push(`key:\n-----BEGIN PRIVATE KEY-----\n${line}\n`)).toBe('key:\n');
    expect(redactor.push(`${line}\n-----END PRIVATE KEY-----\nend\n`)).toBe(`${REDACTED}\nend\n`);
  });

  it('is held back until the end of the line if a secret contains spaces', () => {
    const redactor = new ChunkRedactor({ MY_SECRET: 'two words 42' });
    expect(redactor.push('say two ')).toBe('');
    expect(redactor.push('words 42 twice\n')).toBe(`say ${REDACTED} twice\n`);
  });

  it('is returned for an endless line without splitting a secret', () => {
    const redactor = new ChunkRedactor({});
    const filler = 'x'.repeat(60_000);
    let shown = redactor.push(`${filler},${KEY},`);
    shown += redactor.push(filler);
    expect(shown.length).toBeGreaterThan(60_000);
    shown += redactor.flush();
    expect(shown).toBe(`${filler},${REDACTED},${filler}`);
  });
});
