import { plural } from '../../platform/text/plural.ts';

/** Difference between a received and an expected value. */
export interface ValueDifference {
  /** Completes a sentence that begins with "The received value". */
  readonly relation: string;
  /** True for off by one, empty and absent values, which are typical of a missed boundary case. */
  readonly boundary: boolean;
  /** True for a difference between characters of two texts. */
  readonly isOfText?: boolean;
}

/** Compares two values as test runners print them. Undefined for equal values and for differences without a rule. */
export function compareValues(expected: string, received: string): ValueDifference | undefined {
  const [wanted, got] = [parseValue(expected), parseValue(received)];
  const empty = compareEmptiness(wanted, got);
  if (empty !== undefined) return empty;
  if (typeof wanted === 'number' && typeof got === 'number') return compareNumbers(wanted, got);
  if (typeof wanted === 'boolean' && typeof got === 'boolean' && wanted !== got) {
    return difference(`is ${got}, the opposite`, false);
  }
  if (Array.isArray(wanted) && Array.isArray(got)) return compareLists(wanted, got);
  if (typeof wanted === 'string' && typeof got === 'string') return compareStrings(wanted, got);
  return undefined;
}

const WORDS = new Map<string, unknown>([
  ['undefined', undefined],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

/** A text in quotes, with escapes as Node and test runners print them. */
const QUOTED = /^(['"`])((?:(?!\1)[^\\]|\\[^])*)\1$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
    (_, ...[point, unit, byte, plain]: (string | undefined)[]) => {
      const code = point ?? unit ?? byte;
      return code === undefined
        ? (ESCAPES[plain!] ?? plain!)
        : String.fromCodePoint(Math.min(0x10ffff, parseInt(code, 16)));
    },
  );
}

/** Parses a value that a test runner printed as JSON or JavaScript; any other text is returned as a string. */
function parseValue(printed: string): unknown {
  const text = printed.trim();
  if (WORDS.has(text)) return WORDS.get(text);
  const quoted = QUOTED.exec(text)?.[2];
  if (quoted !== undefined) return unescaped(quoted);
  const json = text
    .replace(/\b(?:Array|Object) (?=[[{])/g, '')
    .replace(/,(\s*[\]}])/g, '$1')
    .replace(/'([^'"\\]*)'/g, '"$1"');
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return text;
  }
}

function compareEmptiness(wanted: unknown, got: unknown): ValueDifference | undefined {
  const [wantedName, gotName] = [emptyName(wanted), emptyName(got)];
  if (wantedName === gotName) return undefined;
  if (gotName !== undefined) {
    return difference(`is ${gotName} where ${wantedName ?? 'a value'} was expected`, true);
  }
  return difference(`is a value where ${wantedName} was expected`, true);
}

function emptyName(value: unknown): string | undefined {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'an empty object';
  return undefined;
}

function compareNumbers(wanted: number, got: number): ValueDifference | undefined {
  const by = got - wanted;
  if (by === 0) return undefined;
  if (Math.abs(by) === 1) {
    return difference(`is one too ${by > 0 ? 'high' : 'low'}`, true);
  }
  if (got === -wanted) return difference('has the opposite sign', false);
  return difference(`is ${rounded(Math.abs(by))} too ${by > 0 ? 'high' : 'low'}`, false);
}

function compareLists(wanted: readonly unknown[], got: readonly unknown[]): ValueDifference | undefined {
  const [a, b] = [wanted.map(stable), got.map(stable)];
  const by = got.length - wanted.length;
  if (Math.abs(by) === 1) {
    return difference(`has one item too ${by > 0 ? 'many' : 'few'}`, true);
  }
  if (by !== 0) return difference(`has ${plural(got.length, 'item')} instead of ${wanted.length}`, false);
  const index = a.findIndex((item, at) => item !== b[at]);
  if (index === -1) return undefined;
  const sameItems = [...a].sort().join('\n') === [...b].sort().join('\n');
  if (sameItems) return difference('has the right items in another order', false);
  return difference(`differs first at index ${index}`, false);
}

function compareStrings(wanted: string, got: string): ValueDifference | undefined {
  if (wanted === got) return undefined;
  if (wanted.toLowerCase() === got.toLowerCase()) {
    return difference('differs only in case', false);
  }
  if (wanted.replace(/\s+/g, '') === got.replace(/\s+/g, '')) {
    return difference('differs only in white space', false);
  }
  const by = got.length - wanted.length;
  if (Math.abs(by) === 1 && (got.startsWith(wanted) || wanted.startsWith(got))) {
    return difference(`is one character too ${by > 0 ? 'long' : 'short'}`, true);
  }
  const [characters, others] = [[...wanted], [...got]];
  const at = characters.findIndex((character, index) => others[index] !== character);
  return {
    ...difference(`differs from character ${(at === -1 ? characters.length : at) + 1} on`, false),
    isOfText: true,
  };
}

function difference(relation: string, boundary: boolean): ValueDifference {
  return { relation, boundary };
}

function stable(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}
