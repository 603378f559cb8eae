/** Words of the language in which code may be written; what loads, debugs or deletes is left out. */
const KEYWORDS = new Set(
  'abstract any as async await bigint boolean break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let never new null number object of private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while yield NaN Infinity Record Partial Pick Omit Readonly Required ReturnType Awaited Exclude Extract NonNullable'.split(
    ' ',
  ),
);

/** Ways to change what others use. */
const META = new Set(
  'prototype constructor __proto__ defineProperty defineProperties setPrototypeOf __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee Function eval'.split(
    ' ',
  ),
);

const TYPES = [
  Object,
  Array,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Date,
  RegExp,
  Map,
  Set,
  WeakMap,
  WeakSet,
  Promise,
  Error,
];
const BUILT_IN: ReadonlySet<string> = new Set(
  [
    ...TYPES.flatMap((one) => [
      one.name,
      ...Object.getOwnPropertyNames(one),
      ...Object.getOwnPropertyNames(one.prototype),
    ]),
    ...[Math, JSON].flatMap((one) => Object.getOwnPropertyNames(one)),
    ...'Math JSON TypeError RangeError SyntaxError isNaN isFinite parseInt parseFloat structuredClone encodeURIComponent decodeURIComponent console log groupBy URLSearchParams Iterator AsyncIterable Iterable message cause'.split(
      ' ',
    ),
  ].filter((name) => !META.has(name)),
);

/** True for a name of the language that code may use anywhere. */
export function isOfLanguage(name: string): boolean {
  return KEYWORDS.has(name) || BUILT_IN.has(name);
}

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const REGEXP = /(?<=^|[(,=:[!&|?{};]\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g;
const TYPE_NAMES =
  /^(?:string|number|boolean|object|function|undefined|bigint|symbol|utf-?8|base|accent|en|en-US|default|asc|desc|long|short|numeric|2-digit|always|auto)$/;

/** Names that code declares itself: parameters of arrows, variables, and keys of a literal. */
function declaredIn(code: string): Set<string> {
  const arrows = [...code.matchAll(/\(([^()]*)\)\s*=>|(?<![\w$.])([A-Za-z_$][\w$]*)\s*=>/g)].flatMap(
    ([, list = '', one = '']) => `${list} ${one}`.match(/[A-Za-z_$][\w$]*/g) ?? [],
  );
  const variables = [...code.matchAll(/\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)/g)].map(([, name]) => name!);
  const lists = [...code.matchAll(/\b(?:const|let|var)\s+[[{]([^\]}]*)[\]}]/g)].flatMap(
    ([, list]) => list!.match(/[A-Za-z_$][\w$]*/g) ?? [],
  );
  const caught = [...code.matchAll(/\bcatch\s*\(\s*([A-Za-z_$][\w$]*)/g)].map(([, name]) => name!);
  return new Set([...arrows, ...variables, ...lists, ...caught]);
}

/** The names of code outside of its strings and regular expressions. */
export function namesOfCode(code: string): string[] {
  const bare = code.replace(STRING, "''").replace(REGEXP, '/./');
  return [...new Set(bare.match(/[A-Za-z_$][\w$]*/g))];
}

/**
 * Why code is not understood: a comment, a name that neither the language nor the tree has, or a text that is not in the tree.
 * `known` says whether the tree has a name or text.
 */
export function codeProblem(code: string, known: (text: string) => boolean): string | undefined {
  if (/[^\x20-\x7e]/.test(code) && !known(code)) return 'has signs that no code of the repository has';
  if (/(?<!:)\/\/|\/\*|#!|@ts-/.test(code.replace(STRING, "''").replace(REGEXP, '/./')))
    return 'has a comment';
  if (/\bimport\s*\(|\brequire\s*\(|=>\s*true\s*$|\.\.\/|node:/.test(code) && !known(code))
    return 'loads or fakes something';
  const own = declaredIn(code);
  const name = namesOfCode(code).find(
    (one) => META.has(one) || !(isOfLanguage(one) || own.has(one) || known(one)),
  );
  if (name !== undefined) return `names ${name}, which is not in the code`;
  const texts = (code.match(STRING) ?? []).map((one) => one.slice(1, -1));
  const text = texts.find(
    (one) => /\p{L}/u.test(one) && one.length > 1 && !TYPE_NAMES.test(one) && !known(one),
  );
  return text === undefined ? undefined : `writes "${text}", which is not in the code`;
}
