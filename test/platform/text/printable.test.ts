import { describe, expect, it } from 'vitest';
import { printable, printableColoured, printableJson } from '../../../src/platform/text/printable.ts';

describe('printable text', () => {
  it.each([
    ['a\u001B[31mb', 'a\\u{1b}[31mb'],
    ['a\rb\b', 'a\\u{d}b\\u{8}'],
    ['a\u009B31m', 'a\\u{9b}31m'],
    ['a\u202Eb', 'a\\u{202e}b'],
    ['a\u{E0041}b', 'a\\u{e0041}b'],
    ['a\u3164b\uD800', 'a\\u{3164}b\\u{d800}'],
  ])('shows %j as %s', (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printable(shown)).toBe(shown);
  });

  it.each(['a\tb\nc', 'Größe 修复', '✔️ 1️⃣ 🎉'])('leaves %j', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('escapes a variation selector after a letter', () => {
    expect(printable('a\uFE0F')).toBe('a\\u{fe0f}');
  });
});

describe('a line with colours', () => {
  it('keeps colours, and escapes all other control characters', () => {
    expect(printableColoured('\u001B[1;31mbad\u001B[39m\u001B]0;x\u0007')).toBe(
      '\u001B[1;31mbad\u001B[39m\\u{1b}]0;x\\u{7}',
    );
  });
});

describe('JSON', () => {
  it('has the same value, with control characters escaped', () => {
    const value = { a: '\u009B31m\u202E\u{E0041}\uD800', b: ['\u001B'] };
    const json = printableJson(value, 2);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
