import { parseExpression } from '@babel/parser';
import type { Node } from '@babel/types';
import { type CaseStrings, NO_STRINGS } from './case-strings.ts';
import type { Crash } from './crashes.ts';
import { distanceTo } from './line-distance.ts';
import { parseSource, parserOptions } from './parse.ts';
import { punctuationIn } from './punctuation.ts';
import type { TestedOption } from './tested-options.ts';
import { bare, sitesOf, type Site } from './walk.ts';

/** Values from the failing tests, as source text of JavaScript literals; other texts are ignored. */
export interface Hints {
  /** Values that the failing tests expected. */
  readonly expected: readonly string[];
  /** Values that they received instead, in the same order as `expected`. */
  readonly received: readonly string[];
  /** Other literals in the failing tests. */
  readonly literals: readonly string[];
  /** Strings near the places where they failed, nearest first; not quoted. */
  readonly near?: readonly string[];
  /** Places at which the failing tests met a missing value. */
  readonly crashes?: readonly Crash[];
  /** Options that the failing tests pass near the places where they failed, nearest first. */
  readonly options?: readonly TestedOption[];
  /** Strings of the test file, by the cases that they belong to. */
  readonly cases?: CaseStrings;
}

/** Hints without any value. */
export const NO_HINTS: Hints = { expected: [], received: [], literals: [] };

/** Literals worth proposing in a file, as source text, most relevant first, without duplicates. */
export interface LiteralPool {
  readonly numbers: readonly string[];
  readonly strings: readonly string[];
  /** Single characters of the strings above. */
  readonly characters: readonly string[];
  /** Whole expected values: `null`, `[]`, `'none'`. */
  readonly expected: readonly string[];
  /** Strings near the places where tests failed, nearest first; not quoted. */
  readonly tested: readonly string[];
  /** Short strings and punctuation from `tested`, quoted: they may distinguish the failing cases. */
  readonly marks: readonly string[];
  /** Punctuation, quoted, that only the strings of the failing cases have. */
  readonly distinct: readonly string[];
  readonly cases: CaseStrings;
  /** Differences between received and expected strings. */
  readonly differences: readonly Difference[];
}

/** A difference between a received and an expected string, without their common prefix and suffix. */
export interface Difference {
  /** Received; may be empty. */
  readonly from: string;
  /** Expected; may be empty. */
  readonly to: string;
}

/** Entries of each list of the pool. */
const MAX_ENTRIES = 24;
const MAX_LITERAL_CHARS = 60;
const MAX_NEAR_CHARS = 200;
const NEAR_LINES = 40;
const MAX_MARKS = 12;
const MAX_DIFFERENCE_CHARS = 40;

/** Source texts of the literals in a test file; empty if it does not parse. */
export function literalsIn(file: string, text: string): string[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  return [...new Set(sitesOf(parsed.tree.program).flatMap(literalText))];
}

/** Strings at most 40 lines from the given 1-based lines, nearest first, not quoted; empty if the text does not parse. */
export function stringsNear(file: string, text: string, lines: readonly number[]): string[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed || lines.length === 0) return [];
  const distanceOf = distanceTo(lines);
  const found = sitesOf(parsed.tree.program).flatMap(({ node, key }) => {
    if (key === 'source' || !(node.type === 'StringLiteral' || node.type === 'TemplateElement')) return [];
    const value = node.type === 'StringLiteral' ? node.value : (node.value.cooked ?? '');
    const distance = distanceOf(node.loc!.start.line);
    return distance > NEAR_LINES || value.length > MAX_NEAR_CHARS ? [] : [{ value, distance }];
  });
  return [...new Set(found.sort((a, b) => a.distance - b.distance).map(({ value }) => value))].slice(
    0,
    MAX_ENTRIES,
  );
}

/** The first strings in double quotes in a failure's message, where table tests name the failing case. */
export function quotedIn(message: string): string[] {
  return [...message.matchAll(/"((?:[^"\\\n]|\\.){1,60})"/g)].slice(0, 4).map(([, text]) => text!);
}

/** Creates the pool from a file's literals and the hints. */
export function literalPool(sites: readonly Site[], hints: Hints): LiteralPool {
  const own = [...new Set(sites.flatMap(literalText))];
  const expected = [...new Set(hints.expected.flatMap(asLiteral))];
  const all = [...expected, ...own, ...hints.literals.flatMap(asLiteral)];
  const strings = unique(all.filter((text) => /^['"]/.test(text)).map(singleQuoted));
  const tested = hints.near ?? hints.literals.filter((text) => /^['"]/.test(text)).map(valueOf);
  return {
    numbers: unique(all.filter((text) => /^-?[\d.]/.test(text)).map((text) => text.replace(/\.0+$/, ''))),
    strings,
    characters: unique(strings.flatMap((text) => [...text.slice(1, -1).replaceAll('\\', '')])),
    expected: expected.slice(0, MAX_ENTRIES),
    tested: tested.slice(0, MAX_ENTRIES),
    marks: marksOf(tested.slice(0, MAX_ENTRIES)),
    distinct: (hints.cases?.marks ?? []).map(quote),
    cases: hints.cases ?? NO_STRINGS,
    differences: differencesOf(hints),
  };
}

/** Empty unless every received value has its expected one. */
function differencesOf({ expected, received }: Hints): Difference[] {
  const found = new Map<string, Difference>();
  for (const [index, wanted] of expected.entries()) {
    const got = received[index];
    if (got === undefined || expected.length !== received.length) continue;
    const [from, to] = [plainText(got), plainText(wanted)];
    if (from === undefined || to === undefined || from === to) continue;
    // By whole characters: two emoji may begin alike.
    const [a, b] = [[...from], [...to]];
    let head = 0;
    while (head < a.length && a[head] === b[head]) head++;
    let tail = 0;
    while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
    const difference = {
      from: a.slice(head, a.length - tail).join(''),
      to: b.slice(head, b.length - tail).join(''),
    };
    if (Math.max(difference.from.length, difference.to.length) <= MAX_DIFFERENCE_CHARS)
      found.set(JSON.stringify(difference), difference);
  }
  return [...found.values()].slice(0, MAX_MARKS);
}

/** The string that a quoted literal denotes; undefined for other texts. */
function plainText(printed: string): string | undefined {
  if (!/^(['"]).*\1$/s.test(printed)) return undefined;
  try {
    return valueOf(printed);
  } catch {
    return undefined;
  }
}

/** Rare punctuation comes first, because it distinguishes cases best. */
function marksOf(strings: readonly string[]): string[] {
  const short = strings.filter((value) => /^.{1,8}$/.test(value));
  const punctuation = punctuationIn(strings.join(''));
  const sharing = new Map(
    punctuation.map((character) => [character, strings.filter((value) => value.includes(character)).length]),
  );
  punctuation.sort((a, b) => sharing.get(a)! - sharing.get(b)!);
  const mixed = short.slice(0, 2).concat(punctuation.slice(0, 6), short.slice(2));
  return [...new Set(mixed)].slice(0, MAX_MARKS).map(quote);
}

function valueOf(text: string): string {
  const node = parseExpression(text);
  return node.type === 'StringLiteral' ? node.value : '';
}

/** Source text of a string literal, in single quotes. */
export function quote(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_ENTRIES);
}

function singleQuoted(text: string): string {
  const node = parseExpression(text);
  return node.type === 'StringLiteral' ? quote(node.value) : text;
}

function literalText({ node, key, parent }: Site): string[] {
  if (node.type === 'NumericLiteral') return [String(node.extra?.['raw'] ?? node.value)];
  if (node.type !== 'StringLiteral' || node.value.length > MAX_LITERAL_CHARS) return [];
  return key === 'source' || parent?.node.type === 'JSXAttribute' ? [] : [quote(node.value)];
}

function asLiteral(text: string): string[] {
  if (text.length > MAX_LITERAL_CHARS) return [];
  try {
    return isLiteral(parseExpression(text, parserOptions('hint.js'))) ? [text] : [];
  } catch {
    return [];
  }
}

/** Whether an expression consists of literals only, in arrays and objects as well. */
export function isLiteral(expression: Node): boolean {
  const node = bare(expression);
  switch (node.type) {
    case 'NumericLiteral':
    case 'StringLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
      return true;
    case 'Identifier':
      return node.name === 'undefined' || node.name === 'Infinity' || node.name === 'NaN';
    case 'UnaryExpression':
      return node.operator === '-' && isLiteral(node.argument);
    case 'ArrayExpression':
      return node.elements.every((element) => element !== null && isLiteral(element));
    case 'ObjectExpression':
      return node.properties.every(
        (property) => property.type === 'ObjectProperty' && isLiteral(property.value),
      );
    default:
      return false;
  }
}
