import { describe, expect, it } from 'vitest';
import { asciiOnly, isUtf8Locale } from '../../src/report/ascii.ts';

describe('asciiOnly and isUtf8Locale', () => {
  it.each([
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
    [{ LANG: 'C', LC_CTYPE: 'en_US.UTF-8', LC_ALL: '' }, true],
    [{}, false],
  ])('%j: UTF-8 is %s', (env, expected) => {
    expect(isUtf8Locale(env)).toBe(expected);
  });

  it('replaces symbols by ASCII of the same width, and other characters by ?', () => {
    expect(asciiOnly('✔ ━━━── ▲ +0.1 → · … ▁▂▃▄▅▆▇█')).toBe('+ ===-- ^ +0.1 > - ~ _.:-=+*#');
    expect(asciiOnly('naïve 数')).toBe('na?ve ?');
  });
});
