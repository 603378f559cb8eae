import { quote } from '../syntax/literals.ts';
import { alternativesOf, type RegexPart, partsOf } from '../syntax/regex-syntax.ts';
import { type Operator, type Proposal, replaceNode, type SourceView } from './operator.ts';
import type { Site } from '../syntax/walk.ts';

const PART_LIMIT = 120;
const CHARACTER_LIMIT = 12;

/**
 * Parts of a regular expression: how often each may come, what its classes and alternatives hold, and blanks or
 * characters of the failing tests' strings that may stand between.
 */
export const regexParts: Operator = {
  name: 'regex-parts',
  prior: 0.45,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'RegExpLiteral') return;
    const seen = new Set([node.pattern]);
    for (const [pattern, factor] of changedPatterns(node.pattern, source)) {
      if (seen.has(pattern) || !isValid(pattern, node.flags)) continue;
      seen.add(pattern);
      yield replaceNode(node, `/${pattern}/${node.flags}`, factor);
    }
  },
};

/** The same for text that becomes a regular expression: `new RegExp('^a')`. */
export const regexText: Operator = {
  name: 'regex-text',
  prior: 0.3,
  *propose(site, source): Iterable<Proposal> {
    const { node } = site;
    if (node.type !== 'StringLiteral' || !isPatternText(site, node.value)) return;
    for (const [pattern, factor] of changedPatterns(node.value, source)) {
      if (isValid(pattern.replace(/^\?(?![:=!<])/, ''), '')) yield replaceNode(node, quote(pattern), factor);
    }
  },
};

type Changed = readonly [pattern: string, factor: number];

function* changedPatterns(pattern: string, source: SourceView): Generator<Changed> {
  const parts = partsOf(pattern);
  const characters = charactersFor(source);
  const put = (start: number, end: number, text: string): string =>
    pattern.slice(0, start) + text + pattern.slice(end);
  for (const part of parts.slice(0, PART_LIMIT)) {
    for (const [quantifier, factor] of quantifiersFor(part))
      yield [put(part.end, part.end + part.quantifier.length, quantifier), factor];
    if (part.kind === 'class') yield* changedClasses(part, { characters, put });
    if (part.kind === 'character' || part.kind === 'escape' || part.kind === 'class')
      yield [put(part.start, part.end + part.quantifier.length, ''), 0.35];
    if (part.kind === 'lookaround') yield [put(part.start, part.end, LOOK[part.text] ?? part.text), 0.4];
  }
  yield* inserted(pattern, parts, characters);
  for (const { at, factor } of alternativesOf(pattern, parts)) {
    for (const text of wordsFor(source)) yield [put(at, at, `|${text}`), factor * 0.5];
    for (const character of characters.slice(0, 6)) yield [put(at, at, `|${character}`), factor * 0.5];
  }
  for (const { start, end } of alternativesOf(pattern, parts).flatMap(({ items }) => items)) {
    yield [put(start, end, ''), 0.3];
  }
  if (pattern.includes('|') && /^\^|\$$/.test(pattern))
    yield [`^(?:${pattern.replace(/^\^|\$$/g, '')})$`, 0.6];
}

/** Blanks at the edges and optional characters everywhere. */
function* inserted(
  pattern: string,
  parts: readonly RegexPart[],
  characters: readonly string[],
): Generator<Changed> {
  const at = (offset: number, text: string): string =>
    pattern.slice(0, offset) + text + pattern.slice(offset);
  const starts = [...pattern.matchAll(/(^|[(|])\^/g)].map(({ index, 0: found }) => index + found.length);
  if (starts.length > 1) {
    yield [pattern.replace(/(^|[(|])\^/g, '$&\\s*'), 0.7];
    yield [pattern.replace(/(^|[(|])\^/g, '$&\\s*').replace(/\$(?=$|[|)])/g, '\\s*$'), 0.7];
  }
  if (pattern.startsWith('^') && pattern.endsWith('$')) yield [`^\\s*${pattern.slice(1, -1)}\\s*$`, 0.6];
  for (const part of parts.slice(0, PART_LIMIT)) {
    const offset = part.end + part.quantifier.length;
    if (part.kind === 'open' || part.kind === 'bar') continue;
    yield [at(offset, '\\s*'), part.kind === 'anchor' ? 0.5 : 0.25];
    for (const character of characters.slice(0, 6)) {
      yield [at(offset, `${character}?`), 0.22];
      yield [at(offset, character), 0.15];
      yield [at(offset, `(?!${character})`), 0.12];
    }
    const isNumber = part.kind === 'class' && /^\[\d/.test(part.text) && pattern.startsWith('\\d', offset);
    if (isNumber) yield [at(part.start, '(?!00)'), 0.5];
  }
}

function* changedClasses(
  part: RegexPart,
  {
    characters,
    put,
  }: { characters: readonly string[]; put: (start: number, end: number, text: string) => string },
): Generator<Changed> {
  const items = itemsOf(part.text);
  const open = part.text.startsWith('[^') ? '[^' : '[';
  const rebuilt = (changed: readonly string[]): string =>
    put(part.start, part.end, `${open}${changed.join('')}]`);
  for (const [index, item] of items.entries()) {
    if (items.length > 1) yield [rebuilt(items.filter((_, other) => other !== index)), 0.5];
    if (items.length > 1) yield [rebuilt(items.filter((other) => other !== item)), 0.5];
    for (const range of otherRanges(item)) yield [rebuilt(items.with(index, range)), 0.7];
  }
  for (const character of [...characters, '\\w', '\\d', '\\s', 'A-Z', 'a-z', '0-9', '_']) {
    if (!items.includes(character)) yield [rebuilt([...items, character === '-' ? '\\-' : character]), 0.6];
  }
}

function quantifiersFor({ kind, quantifier }: RegexPart): Changed[] {
  if (kind === 'anchor' || kind === 'open' || kind === 'bar' || kind === 'lookaround') return [];
  const bounds = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier);
  if (bounds !== null)
    return otherBounds(Number(bounds[1]), bounds[2] !== '', bounds[3] === '' ? undefined : Number(bounds[3]));
  const others = ['', '?', '*', '+', '*?', '+?'].filter((other) => other !== quantifier);
  const isBare = quantifier === '';
  return others
    .map((other): Changed => [
      other,
      isBare ? (other.length > 1 ? 0 : 0.4) : (FACTORS[quantifier + other] ?? 0.5),
    ])
    .filter(([, factor]) => factor > 0);
}

function otherBounds(low: number, isOpen: boolean, high: number | undefined): Changed[] {
  const top = high ?? low;
  const bounds: readonly Changed[] = [
    [`{${low},}`, 0.7],
    [`{${low},${top + 1}}`, 0.6],
    [`{${Math.max(0, low - 1)},${top}}`, 0.6],
    [`{${low + 1},${isOpen && high === undefined ? '' : Math.max(top, low + 1)}}`, 0.5],
    [`{0,${top}}`, 0.4],
    [`{1,${top}}`, 0.5],
    [`{${low}}`, 0.5],
    [`{${top}}`, 0.4],
    ['', 0.4],
    ['+', 0.6],
    ['*', 0.5],
  ];
  return bounds.filter(([text]) => !text.startsWith('{0,0'));
}

/** `a-z`, `\d`, `\u0041`, `x`: the members of a class's text. */
function itemsOf(text: string): string[] {
  const inner = text.replace(/^\[\^?/, '').slice(0, -1);
  const one = String.raw`\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Z]|[\s\S])|[\s\S]`;
  return inner.match(new RegExp(`(?:${one})(?:-(?:${one}))?`, 'g')) ?? [];
}

function otherRanges(item: string): string[] {
  const [, from, to] = /^([0-9a-zA-Z])-([0-9a-zA-Z])$/.exec(item) ?? [];
  if (from === undefined || to === undefined) return [];
  const near = (character: string, by: number): string => String.fromCharCode(character.charCodeAt(0) + by);
  const pairs: readonly (readonly [string, string])[] = [
    [near(from, -1), to],
    [near(from, 1), to],
    [from, near(to, 1)],
    [from, near(to, -1)],
  ];
  return pairs.filter(([a, b]) => /^\w\w$/.test(a + b) && a <= b).map(([a, b]) => `${a}-${b}`);
}

/** Punctuation of the failing tests' strings, escaped as in a pattern. */
function charactersFor({ literals }: SourceView): string[] {
  const marks = literals.marks.map((mark) => mark.slice(1, -1)).filter((mark) => /^\\?[^\w\s]$/.test(mark));
  const escaped = marks.map((mark) => mark.at(-1)!.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&'));
  return [...new Set(escaped)].slice(0, CHARACTER_LIMIT);
}

/** Short words of the failing tests' strings. */
function wordsFor({ literals }: SourceView): string[] {
  const words = literals.tested.flatMap((text) => (/^\w{1,12}$/.test(text) ? [text] : []));
  return [...new Set(words)].slice(0, 6);
}

function isValid(pattern: string, flags: string): boolean {
  try {
    return pattern !== '' && new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
}

function isPatternText({ parent }: Site, value: string): boolean {
  const { node } = parent ?? {};
  const isCreated =
    node?.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'RegExp';
  return isCreated || /\\[dwsb.]|\[\^|\(\?[:<=!]|[.\])][*+]/.test(value);
}

const LOOK: Readonly<Record<string, string>> = { '(?=': '(?!', '(?!': '(?=', '(?<=': '(?<!', '(?<!': '(?<=' };

/** Natural exchanges, by the old and the new quantifier. */
const FACTORS: Readonly<Record<string, number>> = {
  '+*': 1,
  '*+': 0.9,
  '++?': 0.7,
  '**?': 0.7,
  '*?*': 0.6,
  '+?+': 0.6,
  '?': 0.6,
  '?*': 0.7,
  '?+': 0.5,
};
