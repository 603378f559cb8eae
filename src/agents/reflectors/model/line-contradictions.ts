import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';

interface At {
  /** Text of the named line, or of the whole file. */
  readonly text: string;
}

/** A key that is said to be missing where the line has it. */
export function wrongKey(sentence: string, places: readonly At[]): string | undefined {
  const [, name] =
    /\b(?:has|have|lacks|misses|without)(?: no| an?| the)? (?:key|property|member|field|entry|method) `?([A-Za-z_$][\w$]*)`?/i.exec(
      sentence,
    ) ?? [];
  const isDenied = /\bno (?:key|property|member|field|entry|method)\b|\b(?:lacks|misses|without)\b/i.test(
    sentence,
  );
  if (name === undefined || !isDenied) return undefined;
  return places.some(({ text }) => new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`).test(text))
    ? `${name} is there.`
    : undefined;
}

const COUNTS = ['no', 'one', 'two', 'three', 'four'];

/** A number of parameters that the function of the line does not have. */
export function wrongParameters(sentence: string, places: readonly At[]): string | undefined {
  const [, name, word = ''] =
    /`?([A-Za-z_$][\w$]*)`?(?: (?:in|at) \S+)? (?:takes|has|gets|accepts) (no|one|two|three|four|\d) (?:arguments?|parameters?)\b/i.exec(
      sentence,
    ) ?? [];
  if (name === undefined) return undefined;
  const count = COUNTS.includes(word.toLowerCase()) ? COUNTS.indexOf(word.toLowerCase()) : Number(word);
  const declared = new RegExp(
    String.raw`(?:function\s+${escapeRegExp(name)}\s*|${escapeRegExp(name)}\s*=\s*(?:async\s*)?(?:function\s*)?)\(([^()]*)\)`,
  );
  const counts = places.flatMap(({ text }) => {
    const list = declared.exec(text)?.[1];
    return list === undefined ? [] : [list.split(',').filter((one) => one.trim() !== '').length];
  });
  return counts.length > 0 && !counts.includes(count) ? `${name} takes ${counts[0]} parameters.` : undefined;
}

/** Patterns of how an initial value begins, by the kind of the value. */
const BEGINNINGS: readonly (readonly [kind: string, pattern: string])[] = [
  ['map', String.raw`new Map\b`],
  ['set', String.raw`new Set\b`],
  ['array', String.raw`\[`],
  ['object', String.raw`\{`],
  ['string', String.raw`['"\x60]`],
  ['number', String.raw`-?\d`],
];

/** A kind that the line gives no value of that name. */
export function wrongInitialKind(sentence: string, places: readonly At[]): string | undefined {
  const [, name, kind] =
    /`?([A-Za-z_$][\w$]*)`?(?: (?:in|at) \S+)? (?:is|was) an? (array|list|map|set|object|string|number)\b/i.exec(
      sentence,
    ) ?? [];
  if (name === undefined || kind === undefined) return undefined;
  const said = kind.toLowerCase().replace('list', 'array');
  const given = BEGINNINGS.find(([, pattern]) =>
    places.some(({ text }) =>
      new RegExp(String.raw`(?:const|let|var)\s+${escapeRegExp(name)}\s*=\s*${pattern}`).test(text),
    ),
  )?.[0];
  if (given === undefined || given === said) return undefined;
  return said === 'object' && /^(?:map|set|array)$/.test(given) ? undefined : `${name} is a ${given}.`;
}
