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
    [
      'in the lines of a diff',
      `+ '${VALUE.slice(0, 6)}\\n' +\n+   '${VALUE.slice(6, 15)}\\r\\n' +\n+   '${VALUE.slice(15)}'`,
    ],
    ['between colours', [...VALUE].join('\x1b[0m')],
    ['between colours in JSON', [...VALUE].join('\\u001b[1;31m')],
    ['as octal escapes', bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')],
    ['as bits', bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(' ')],
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

  const UMLAUTS = 'pässwörd-Ünd-9x8x7';
  const each = (escape: (letter: string) => string, isWhole: boolean): string =>
    [...UMLAUTS].map((letter) => (isWhole || letter > '~' ? escape(letter) : letter)).join('');
  const hexOf = (letter: string): string => letter.codePointAt(0)!.toString(16);
  const ESCAPES: readonly (readonly [string, (letter: string) => string])[] = [
    ['of JSON', (letter) => `\\u${hexOf(letter).padStart(4, '0')}`],
    ['of JavaScript', (letter) => `\\u{${hexOf(letter)}}`],
    ['of HTML', (letter) => `&#${letter.codePointAt(0)!};`],
    ['of HTML in hexadecimal', (letter) => `&#x${hexOf(letter).toUpperCase()};`],
    ['of bytes', (letter) => [...Buffer.from(letter)].map((byte) => `\\x${byte.toString(16)}`).join('')],
    ['of URLs', (letter) => [...Buffer.from(letter)].map((byte) => `%${byte.toString(16)}`).join('')],
  ];
  it.each([
    ...ESCAPES.flatMap(([name, escape]) => [
      [`${name}, everywhere`, each(escape, true)] as const,
      [`${name}, of umlauts`, each(escape, false)] as const,
    ]),
    ['of URLs, twice', encodeURIComponent(encodeURIComponent(UMLAUTS))] as const,
    ['of HTML, with names', 'p&auml;ssw&ouml;rd-&Uuml;nd-9x8x7'] as const,
  ])('is redacted with umlauts, in escapes %s', (_, text) => {
    expect(redact(`before ${text} after`, { API_KEY: UMLAUTS })).not.toContain(text);
    expect(redact(`before ${text} after`, { API_KEY: UMLAUTS })).toMatch(/^before .* after$/);
    expect(redact(`before ${text} after`, { API_KEY: 'grüße-an-77-ändere' })).toContain(text);
  });
});
