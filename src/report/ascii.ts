/** What stands for ralph's own marks where a terminal shows ASCII alone; each is as wide as its mark. */
const ASCII_FOR: Readonly<Record<string, string>> = {
  ...{ '▁': '_', '▂': '.', '▃': ':', '▄': '-', '▅': '=', '▆': '+', '▇': '*', '█': '#' },
  ...{ '─': '-', '━': '=', '│': '|', '┤': '|', '╶': '-', '…': '~', '·': '-', '×': 'x', '−': '-', '→': '>' },
  ...{ '▲': '^', '▼': 'v', '✔': '+', '✖': 'x', '○': 'o', '’': "'", '“': '"', '”': '"', Ω: 'O' },
  ...{ '⠋': '|', '⠙': '/', '⠹': '-', '⠸': '\\', '⠼': '|', '⠴': '/', '⠦': '-', '⠧': '\\', '⠇': '|', '⠏': '/' },
};

const BEYOND_ASCII = /[^\p{ASCII}]/gu;

/** The line for a terminal that shows ASCII alone: ralph's marks by others like them, everything else as `?`. */
export function asciiOnly(line: string): string {
  return line.replace(BEYOND_ASCII, (character) => ASCII_FOR[character] ?? '?');
}

/** Whether the locale's characters are UTF-8: `LC_ALL`, `LC_CTYPE`, `LANG`, the first that is set (POSIX, 8.2). */
export function isUtf8Locale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => (value ?? '') !== '');
  return /utf-?8/i.test(locale ?? '');
}
