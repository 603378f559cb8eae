/** How a received value differs from the expected one. */
export interface ValueDifference {
  /** As the rest of a sentence that begins with "what was received". */
  readonly relation: string;
  /** Off by one, empty, absent: what a forgotten boundary looks like. */
  readonly boundary: boolean;
  /** What in the code makes such a difference, to be looked at first. */
  readonly suspect: string;
}

/** Compares two values as test runners print them. Undefined where nothing tellable differs. */
export function compareValues(expected: string, received: string): ValueDifference | undefined {
  const [wanted, got] = [parseValue(expected), parseValue(received)];
  const empty = emptiness(wanted, got);
  if (empty !== undefined) return empty;
  if (typeof wanted === 'number' && typeof got === 'number') return compareNumbers(wanted, got);
  if (typeof wanted === 'boolean' && typeof got === 'boolean' && wanted !== got) {
    return difference(`is ${got}, the opposite`, 'the condition that decides this input', false);
  }
  if (Array.isArray(wanted) && Array.isArray(got)) return compareLists(wanted, got);
  if (typeof wanted === 'string' && typeof got === 'string') return compareTexts(wanted, got);
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

/** A printed value as a value where it is JSON in a test runner's dress, else as its text. */
function parseValue(printed: string): unknown {
  const text = printed.trim();
  if (WORDS.has(text)) return WORDS.get(text);
  const single = /^'([^'\\]*)'$/.exec(text)?.[1];
  if (single !== undefined) return single;
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

function emptiness(wanted: unknown, got: unknown): ValueDifference | undefined {
  const [wantedName, gotName] = [emptyName(wanted), emptyName(got)];
  if (wantedName === gotName) return undefined;
  if (gotName !== undefined) {
    return difference(
      `is ${gotName} where a value was expected`,
      'the path that gives nothing for this input',
      true,
    );
  }
  return difference(
    `is a value where ${wantedName} was expected`,
    'the missing early return for this input',
    true,
  );
}

function emptyName(value: unknown): string | undefined {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  if (value === '') return 'an empty text';
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'an empty object';
  return undefined;
}

function compareNumbers(wanted: number, got: number): ValueDifference | undefined {
  const by = got - wanted;
  if (by === 0) return undefined;
  if (Math.abs(by) === 1) {
    return difference(
      `is one too ${by > 0 ? 'high' : 'low'}`,
      'the bounds: `<` against `<=`, the first and the last index',
      true,
    );
  }
  if (got === -wanted)
    return difference('has the opposite sign', 'a subtraction or comparison the wrong way round', false);
  return difference(
    `is ${rounded(Math.abs(by))} too ${by > 0 ? 'high' : 'low'}`,
    'the arithmetic that this input goes through',
    false,
  );
}

function compareLists(wanted: readonly unknown[], got: readonly unknown[]): ValueDifference | undefined {
  const [a, b] = [wanted.map(stable), got.map(stable)];
  const by = got.length - wanted.length;
  if (Math.abs(by) === 1) {
    return difference(
      `has one item too ${by > 0 ? 'many' : 'few'}`,
      'the bounds of the loop or slice that fills it',
      true,
    );
  }
  if (by !== 0)
    return difference(
      `has ${got.length} items instead of ${wanted.length}`,
      'the filter or loop that fills it',
      false,
    );
  const index = a.findIndex((item, at) => item !== b[at]);
  if (index === -1) return undefined;
  const sameItems = [...a].sort().join('\n') === [...b].sort().join('\n');
  if (sameItems)
    return difference('has the right items in another order', 'the comparison that sorts them', false);
  return difference(`differs first at index ${index}`, `what makes the item at index ${index}`, false);
}

function compareTexts(wanted: string, got: string): ValueDifference | undefined {
  if (wanted === got) return undefined;
  if (wanted.toLowerCase() === got.toLowerCase()) {
    return difference('differs in capitals only', 'the place that changes or keeps the case', false);
  }
  if (wanted.replace(/\s+/g, '') === got.replace(/\s+/g, '')) {
    return difference('differs in white space only', 'the trimming, joining or padding', false);
  }
  const by = got.length - wanted.length;
  if (Math.abs(by) === 1 && (got.startsWith(wanted) || wanted.startsWith(got))) {
    return difference(`is one character too ${by > 0 ? 'long' : 'short'}`, 'the end of the slice', true);
  }
  const at = [...wanted].findIndex((character, index) => got[index] !== character);
  return difference(
    `differs from character ${at === -1 ? wanted.length : at} on`,
    'what writes that part of the text',
    false,
  );
}

function difference(relation: string, suspect: string, boundary: boolean): ValueDifference {
  return { relation, suspect, boundary };
}

function stable(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}
