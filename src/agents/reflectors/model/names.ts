import { CODE_SPAN } from '../../../platform/text/code-span.ts';
import { PLACE } from './attempt-record.ts';

/** Something that a sentence names as if it existed. */
export interface Named {
  /** Code, a name, a printed value, or a quoted text without its quotes. */
  readonly text: string;
  readonly kind: 'code' | 'value' | 'quote';
  /** Offset of the name in the sentence. */
  readonly at: number;
}

/** A word that is written as code is: with a call, a capital or an underscore inside, or a member. */
const CODE_WORD =
  /(?<![\w$./-])(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|[a-z_$][a-z\d$]*[A-Z_][\w$]*|[A-Z][a-z\d]+[A-Z][\w$]*|[A-Z]+\d{3,5}|[A-Za-z_$][\w$]*(?=\())(?![\w$/-])/g;
/** A list or an object as a value is printed. */
const VALUE = /\[[^[\]]*,[^[\]]*\]|\{[^{}]*[:,][^{}]*\}/g;
const QUOTED = /(?<![\w])'([^']{1,200})'(?!\w)|["“]([^"”]{1,300})["”]/g;

/** Code spans, names that look like code, and quoted texts of a sentence; places are left out. */
export function namedIn(sentence: string): Named[] {
  const found: Named[] = [];
  const blank = (match: string): string => ' '.repeat(match.length);
  let rest = sentence.replace(new RegExp(CODE_SPAN.source, 'g'), (span, ...groups: unknown[]) => {
    const at = groups.find((group) => typeof group === 'number')!;
    const text = span.replace(/^`+ ?|`+$/g, '').trim();
    if (isPlace(text)) return ` ${span.slice(1, -1)} `;
    found.push({ text, kind: 'code', at });
    return blank(span);
  });
  rest = rest.replace(PLACE, blank);
  rest = rest.replace(VALUE, (match, at: number) => {
    found.push({ text: match, kind: 'value', at });
    return blank(match);
  });
  rest = rest.replace(QUOTED, (match, single: string | undefined, double: string | undefined, at: number) => {
    found.push({ text: (single ?? double)!.trim(), kind: 'quote', at });
    return blank(match);
  });
  for (const match of rest.matchAll(CODE_WORD)) found.push({ text: match[0], kind: 'code', at: match.index });
  return found.filter(({ text }) => text !== '').sort((a, b) => a.at - b.at);
}

/** The numbers of a sentence that are no part of a place, a name or a quotation. */
export function numbersIn(sentence: string): number[] {
  const rest = sentence.replace(PLACE, ' ').replace(/\b[A-Za-z_$]+\d[\w$]*/g, ' ');
  return [...rest.matchAll(/(?<![\w.])\d[\d_]*(?:\.\d+)?/g)].map(([digits]) =>
    Number(digits.replaceAll('_', '')),
  );
}

/** The identifiers of a piece of code, without those in its strings. */
export function identifiersIn(code: string): string[] {
  const bare = code.replace(/'[^']*'|"[^"]*"/g, ' ');
  return [...new Set(bare.match(/[A-Za-z_$][\w$]*/g))].filter((name) => !isOfLanguage(name));
}

function isPlace(text: string): boolean {
  return new RegExp(`^(?:${PLACE.source})$`).test(text);
}

const KEYWORDS = new Set(
  'break case catch class const continue default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield async await get set NaN Infinity'.split(
    ' ',
  ),
);

/** Names of the language itself, such as `Math`, `ceil` and `padStart`. */
const BUILT_IN: ReadonlySet<string> = new Set(
  [Object, Function, Array, String, Number, Boolean, BigInt, Symbol, Date, RegExp, Map, Set, Promise, Error]
    .flatMap((one) => [...Object.getOwnPropertyNames(one), ...Object.getOwnPropertyNames(one.prototype)])
    .concat([Math, JSON, Reflect, globalThis].flatMap((one) => Object.getOwnPropertyNames(one))),
);

function isOfLanguage(name: string): boolean {
  return KEYWORDS.has(name) || BUILT_IN.has(name);
}
