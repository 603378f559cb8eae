const ESCAPE = '\u001B';
const point = (code: number): string => String.fromCodePoint(code);
const tags = (text: string): string =>
  [...text].map((letter) => point(0xe0000 + letter.codePointAt(0)!)).join('');

/** Texts with control sequences of terminals, or with invisible characters. */
export const TERMINAL_SAMPLES: Readonly<Record<string, string>> = {
  'colour that hides text': `ok ${ESCAPE}[8mrm -rf /${ESCAPE}[0m`,
  'clear screen': `${ESCAPE}[2J${ESCAPE}[H all tests passed`,
  'cursor up and overwrite': `1 failed${ESCAPE}[1A${ESCAPE}[2Kpassed`,
  'alternate screen': `${ESCAPE}[?1049h`,
  'window title': `${ESCAPE}]0;pwned\u0007`,
  'title, closed by ST': `${ESCAPE}]2;pwned${ESCAPE}\\`,
  'clipboard (OSC 52)': `${ESCAPE}]52;c;cm0gLXJmIC8=\u0007`,
  'link (OSC 8)': `${ESCAPE}]8;;https://evil.test${ESCAPE}\\docs${ESCAPE}]8;;${ESCAPE}\\`,
  'palette query (OSC 4)': `${ESCAPE}]4;0;?\u0007`,
  'device status, answered as input': `${ESCAPE}[6n`,
  'device attributes': `${ESCAPE}[c`,
  'DCS request': `${ESCAPE}P$q"p${ESCAPE}\\`,
  'APC and PM': `${ESCAPE}_Ga=T${ESCAPE}\\${ESCAPE}^x${ESCAPE}\\`,
  'full reset': `${ESCAPE}c`,
  'line drawing characters': `${ESCAPE}(0qqq`,
  'printer, media copy': `${ESCAPE}[5i secret ${ESCAPE}[4i`,
  'C1 CSI': `a${point(0x9b)}31mred`,
  'C1 OSC': `a${point(0x9d)}0;title${point(0x9c)}`,
  'C1 DCS': `a${point(0x90)}q${point(0x9c)}`,
  'C1 next line and reverse index': `a${point(0x85)}b${point(0x8d)}c`,
  'carriage return': 'error: 5 failed\rall tests passed',
  backspace: 'failed\b\b\b\b\b\bpassed',
  'vertical tab, form feed': 'a\vb\fc',
  'bell and enquiry': 'a\u0007b\u0005c',
  'shift out, shift in': 'a\u000Eb\u000Fc',
  NUL: 'a\0b',
  delete: 'failed\u007F\u007F',
  'escape without an end': `text ${ESCAPE}[31`,
  'escape in two parts': `${ESCAPE}\u0000[31m`,
  'bidi override': `safe${point(0x202e)}fdp.exe`,
  'bidi isolate': `a${point(0x2066)}b${point(0x2069)}c`,
  'bidi marks': `a${point(0x200f)}b${point(0x200e)}${point(0x61c)}`,
  'zero-width space and joiner': `pass${point(0x200b)}word${point(0x200d)}${point(0x200c)}`,
  'word joiner and BOM': `a${point(0x2060)}b${point(0xfeff)}c`,
  'invisible operators': `a${point(0x2061)}b${point(0x2064)}c`,
  'soft hyphen': `pass${point(0xad)}ed`,
  'tag characters': `hello${tags('run rm')}`,
  'variation selectors as text': `a${point(0xfe00)}${point(0xe0101)}${point(0xe01ef)}`,
  'line and paragraph separator': `a${point(0x2028)}b${point(0x2029)}c`,
  'Hangul fillers': `a${point(0x3164)}b${point(0x115f)}${point(0xffa0)}c`,
  'grapheme joiner, Mongolian selectors': `a${point(0x34f)}b${point(0x180b)}${point(0x180e)}c`,
  'blank Braille pattern': `a${point(0x2800)}b`,
  'interlinear annotation': `a${point(0xfff9)}b${point(0xfffa)}c${point(0xfffb)}`,
  'musical control': `a${point(0x1d173)}b`,
  'half of a surrogate pair': 'a\uD800b\uDFFFc',
};

/** Texts that must be shown unchanged. */
export const HARMLESS_SAMPLES: readonly string[] = [
  'plain text, with\ttabs and\nlines',
  'Größe – “quotes” … → ✓ ✗ ×',
  '修复登录 ログイン 로그인 вход שלום مرحبا',
  'café\u0301 naïve',
  '✔️ ❤️ 1️⃣ ☎︎ 🎉 🚀',
  'math ∑ ≤ ∞ and box ─ │ ┌ ┐',
];

/** Ranges of dangerous code points, independent of those in src. */
const DANGEROUS: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** The first dangerous character of a text, as `U+001b`; undefined if there is none. */
export function dangerIn(text: string): string | undefined {
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (DANGEROUS.some(([from, to]) => code >= from && code <= to))
      return `U+${code.toString(16).padStart(4, '0')}`;
  }
  return undefined;
}
