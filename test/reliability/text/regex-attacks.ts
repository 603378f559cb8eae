/** A text that could make a regular expression slow: `prefix`, `pump` repeated, `suffix`. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const CLASSES: Readonly<Record<string, string>> = {
  d: '1',
  w: 'a',
  s: ' ',
  S: 'x',
  D: 'x',
  W: '-',
  b: '',
  B: '',
  n: '\n',
  r: '\r',
  t: '\t',
};
const MOST_LETTERS = 14;
const MOST_PREFIXES = 8;
const MOST_WORDS = 10;

/**
 * Attacks derived from the expression. The pumps are its letters and classes, pairs of them, and its words; the prefixes
 * match the text before its repetitions; the suffixes do not match.
 */
export function attacksOn(source: string): Attack[] {
  const letters = [...new Set(sampleOf(source))].slice(0, MOST_LETTERS);
  const words = (source.match(/[A-Za-z]{2,}[ :=-]?/g) ?? []).slice(0, MOST_WORDS);
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const pumps = [...new Set([...letters, ...pairs, ...words, sampleOf(source).slice(0, 40)])].filter(Boolean);
  const prefixes = [...new Set(['', ...prefixesOf(source)])].slice(0, MOST_PREFIXES);
  const attacks: Attack[] = [];
  for (const prefix of prefixes) {
    for (const pump of pumps)
      for (const suffix of ['\u0001', '\n\u0001']) attacks.push({ prefix, pump, suffix });
  }
  return attacks;
}

/** The text of an attack, with about `length` characters. */
export function renderAttack({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** Texts that match the expression before each repetition. */
function prefixesOf(source: string): string[] {
  const found: string[] = [];
  for (const match of source.matchAll(/[+*]|\{\d+,\d*\}/g)) {
    const before = source.slice(0, match.index).replace(/(?:\\.|\[(?:\\.|[^\]])*\]|\)|.)$/, '');
    found.push(sampleOf(before));
  }
  return found;
}

/** A text similar to a match: one character for each class, without groups. */
function sampleOf(source: string): string {
  return source
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '')
    .replace(/\\[pP]\{[^}]*\}|\\u\{?[\da-f]+\}?/gi, 'é')
    .replace(/\[(\^?)((?:\\.|[^\]\\])*)\]/g, (_, negated: string, inside: string) =>
      negated === '' ? memberOf(inside) : 'x',
    )
    .replace(/\\([dwsSDWbBnrt])/g, (_, letter: string) => CLASSES[letter]!)
    .replace(/\\(.)/g, '$1')
    .replace(/\{\d+,?\d*\}|[()?+*^$|]/g, '')
    .replaceAll('.', 'x');
}

function memberOf(inside: string): string {
  const first = /^\\([dwsnrt])/.exec(inside)?.[1];
  return first === undefined ? inside.replace(/^\\/, '').slice(0, 1) : CLASSES[first]!;
}
