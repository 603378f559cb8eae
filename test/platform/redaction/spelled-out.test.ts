import { describe, expect, it } from 'vitest';
import { REDACTED, redact } from '../../../src/platform/redaction/redact.ts';

const VALUE = 'Zk93hunterQp71xLmv88Ty';
const ENV = { API_KEY: VALUE };
const bytes = [...Buffer.from(VALUE)];
const hex = bytes.map((byte) => byte.toString(16));

describe('a secret that is spelled out', () => {
  it.each([
    ['one character a line', [...VALUE].join('\n')],
    ['in pieces', `'${VALUE.slice(0, 11)}' + '${VALUE.slice(11)}'`],
    ['in capitals', VALUE.toUpperCase()],
    ['backwards', [...VALUE].reverse().join('')],
    ['as base64 in lines', Buffer.from(VALUE).toString('base64').replace(/.{10}/g, '$&\n')],
    ['as xxd prints it', hex.join('').replace(/.{4}/g, '$& ')],
    ['as bytes with colons', hex.join(':')],
    ['as numbers of C', hex.map((digits) => `0x${digits}`).join(', ')],
    ['as escapes', hex.map((digits) => `\\x${digits}`).join('')],
    ['as escapes of JSON', hex.map((digits) => `\\u00${digits}`).join('')],
    ['as a Buffer in JSON', JSON.stringify(Buffer.from(VALUE))],
    ['as od prints it', bytes.map((byte) => byte.toString(8)).join(' ')],
    ['as entities of HTML', bytes.map((byte) => `&#${byte};`).join('')],
    ['as two bytes a character', Buffer.from(VALUE, 'utf16le').toString('hex')],
  ])('is redacted: %s', (_, text) => {
    const shown = redact(`before ${text} after`, ENV);
    expect(shown).toContain(REDACTED);
    expect(shown).not.toContain(text);
    expect(shown).toMatch(/^before /);
    expect(shown).toMatch(/ after$/);
    expect(redact(shown, ENV)).toBe(shown);
    expect(redact(`before ${text} after`, { API_KEY: 'another-Value-77-99' })).toContain(text);
  });

  it('is not found in sentences: a value without a digit is redacted only as it is', () => {
    const env = { DB_PASSWORD: 'a-password-for-all-tests' };
    expect(redact('This is a password for all tests.', env)).toBe('This is a password for all tests.');
    expect(redact('It is a-password-for-all-tests.', env)).toBe(`It is ${REDACTED}.`);
  });
});
