/** ASCII replacements for the symbols that ralph prints; each is as wide as its symbol. */
const ASCII_FOR: Readonly<Record<string, string>> = {
  '▁': '_',
  '▂': '.',
  '▃': ':',
  '▄': '-',
  '▅': '=',
  '▆': '+',
  '▇': '*',
  '█': '#',
  '─': '-',
  '━': '=',
  '│': '|',
  '┤': '|',
  '╶': '-',
  '…': '~',
  '·': '-',
  '×': 'x',
  '−': '-',
  '→': '>',
  '▲': '^',
  '▼': 'v',
  '✔': '+',
  '✖': 'x',
  '○': 'o',
  '’': "'",
  '“': '"',
  '”': '"',
  Ω: 'O',
  '⠋': '|',
  '⠙': '/',
  '⠹': '-',
  '⠸': '\\',
  '⠼': '|',
  '⠴': '/',
  '⠦': '-',
  '⠧': '\\',
  '⠇': '|',
  '⠏': '/',
};

const BEYOND_ASCII = /[^\p{ASCII}]/gu;

/** Converts a line for a terminal without UTF-8: ralph's symbols are replaced, other characters become `?`. */
export function asciiOnly(line: string): string {
  return line.replace(BEYOND_ASCII, (character) => ASCII_FOR[character] ?? '?');
}

/** True if the locale uses UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides (POSIX, 8.2). */
export function isUtf8Locale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => (value ?? '') !== '');
  return /utf-?8/i.test(locale ?? '');
}
