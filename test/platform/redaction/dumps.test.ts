import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/platform/redaction/redact.ts';

const VALUE = 'my-ümlaut-secrät-value-77x9';
const ENV = { API_KEY: VALUE };
/** What the programs print of `API_KEY=`, the value and a line `foo=1`; real output. */
const DUMPS = {
  xxd: `
00000000: 4150 495f 4b45 593d 6d79 2dc3 bc6d 6c61  API_KEY=my-..mla
00000010: 7574 2d73 6563 72c3 a474 2d76 616c 7565  ut-secr..t-value
00000020: 2d37 3778 390a 666f 6f3d 310a            -77x9.foo=1.
`,
  'xxd -u -c 8 -g1': `
00000000: 41 50 49 5F 4B 45 59 3D  API_KEY=
00000008: 6D 79 2D C3 BC 6D 6C 61  my-..mla
00000010: 75 74 2D 73 65 63 72 C3  ut-secr.
00000018: A4 74 2D 76 61 6C 75 65  .t-value
00000020: 2D 37 37 78 39 0A 66 6F  -77x9.fo
00000028: 6F 3D 31 0A              o=1.
`,
  'xxd -e': `
00000000: 5f495041 3d59454b c32d796d 616c6dbc  API_KEY=my-..mla
00000010: 732d7475 c3726365 762d74a4 65756c61  ut-secr..t-value
00000020: 7837372d 6f660a39 0a313d6f           -77x9.foo=1.
`,
  'hexdump -C': `
00000000  41 50 49 5f 4b 45 59 3d  6d 79 2d c3 bc 6d 6c 61  |API_KEY=my-..mla|
00000010  75 74 2d 73 65 63 72 c3  a4 74 2d 76 61 6c 75 65  |ut-secr..t-value|
00000020  2d 37 37 78 39 0a 66 6f  6f 3d 31 0a              |-77x9.foo=1.|
0000002c
`,
  hexdump: `
0000000 5041 5f49 454b 3d59 796d c32d 6dbc 616c
0000010 7475 732d 6365 c372 74a4 762d 6c61 6575
0000020 372d 7837 0a39 6f66 3d6f 0a31          ${''}
000002c
`,
  'od -t x1z': `
0000000 41 50 49 5f 4b 45 59 3d 6d 79 2d c3 bc 6d 6c 61  >API_KEY=my-..mla<
0000020 75 74 2d 73 65 63 72 c3 a4 74 2d 76 61 6c 75 65  >ut-secr..t-value<
0000040 2d 37 37 78 39 0a 66 6f 6f 3d 31 0a              >-77x9.foo=1.<
0000054
`,
  'od -c': `
0000000   A   P   I   _   K   E   Y   =   m   y   - 303 274   m   l   a
0000020   u   t   -   s   e   c   r 303 244   t   -   v   a   l   u   e
0000040   -   7   7   x   9  \\n   f   o   o   =   1  \\n
0000054
`,
  'od -b': `
0000000 101 120 111 137 113 105 131 075 155 171 055 303 274 155 154 141
0000020 165 164 055 163 145 143 162 303 244 164 055 166 141 154 165 145
0000040 055 067 067 170 071 012 146 157 157 075 061 012
0000054
`,
};

describe('a secret in a dump of bytes', () => {
  it.each(Object.entries(DUMPS))('is redacted in each line, with its characters: %s', (_, dump) => {
    const text = `the file:${dump}and more\n`;
    const shown = redact(text, ENV);
    expect(shown.split('\n')).toHaveLength(text.split('\n').length);
    expect(shown.length).toBeLessThanOrEqual(text.length);
    expect(redact(shown, ENV)).toBe(shown);
    // `secr`, `value` and `77x9`, as each program writes them.
    const left = /secr|value|-77|7365|73 65|c3726365|6365 c3|7661|76 61|6c61 6575|65756c61|s {3}e|163 145/i;
    expect(text).toMatch(left);
    expect(shown).not.toMatch(left);
    expect(shown).toMatch(/foo|66 6f|666f|f {3}o|146 157|6f66/i);
    expect(redact(text, { API_KEY: 'another-Value-77-99' })).toBe(text);
  });

  it('is redacted as far as the dump goes', () => {
    const cut = '00000000: 6d79 2dc3 bc6d 6c61 7574 2d73  my-..mlaut-s';
    expect(redact(cut, ENV)).toBe('00000000: [redacted]  [redacted]');
    expect(redact(cut.replace('7574 2d73', '7574 2d74'), ENV)).toContain('2d74');
  });

  it('leaves other tables of numbers alone', () => {
    const text = '0000 12 34 56\n2026-01-01 10:20:30 5041 5f49\nabcd ef01 ef01\n0001234 000 111 222 333\n';
    expect(redact(text, ENV)).toBe(text);
  });
});
