import { quote } from '../../syntax/literals.ts';
import { punctuationIn } from '../../syntax/punctuation.ts';
import { readRegex, type RegexPart } from '../../syntax/regex-syntax.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator, Proposal, SourceView } from '../operator.ts';
import { replaceNode } from '../proposals.ts';
import { changedClasses } from './classes.ts';
import { matchFactors } from './evidence.ts';
import { type Changed, quantifiersFor } from './quantifiers.ts';
import { isValidPattern } from './valid-pattern.ts';

/** Longer patterns would give more candidates than there is time to try. */
const MAX_PARTS = 120;
const MAX_CHARACTERS = 12;
/** Characters that are inserted at every place. */
const MAX_INSERTED = 6;

/**
 * Parts of a regular expression: other quantifiers, class members and alternatives, and whitespace or punctuation
 * from the failing tests' strings inserted between parts.
 */
export const regexParts: Operator = {
  name: 'regex-parts',
  prior: 0.45,
  *propose({ node }, source) {
    if (node.type !== 'RegExpLiteral') return;
    const changed = new Map<string, number>();
    for (const [pattern, factor] of changedPatterns(node.pattern, source)) {
      if (
        pattern === node.pattern ||
        changed.has(pattern) ||
        !isValidPattern(pattern, node.flags, node.pattern)
      )
        continue;
      changed.set(pattern, factor);
    }
    const factors = matchFactors(node.pattern, node.flags, {
      others: [...changed.keys()],
      cases: source.literals.cases,
    });
    for (const [pattern, factor] of changed)
      yield replaceNode(node, `/${pattern}/${node.flags}`, Math.min(1, factor * (factors.get(pattern) ?? 1)));
  },
};

/** The same for strings that become regular expressions: `new RegExp('^a')`. */
export const regexText: Operator = {
  name: 'regex-text',
  prior: 0.3,
  *propose(site, source): Iterable<Proposal> {
    const { node } = site;
    if (node.type !== 'StringLiteral' || !isPatternText(site, node.value)) return;
    for (const [pattern, factor] of changedPatterns(node.value, source)) {
      const isValid = isValidPattern(pattern.replace(/^\?(?![:=!<])/, ''), '', node.value);
      if (isValid) yield replaceNode(node, quote(pattern), factor);
    }
  },
};

function* changedPatterns(pattern: string, source: SourceView): Generator<Changed> {
  // A string may continue another one: its leading `?` then quantifies the other one's last part.
  const { parts, alternatives } = readRegex(pattern.replace(/^\?/, 'x')) ?? { parts: [], alternatives: [] };
  const characters = charactersFor(source);
  const inserted = characters.slice(0, MAX_INSERTED);
  const put = (start: number, end: number, text: string): string =>
    pattern.slice(0, start) + text + pattern.slice(end);
  for (const part of parts.slice(0, MAX_PARTS)) {
    const { kind, start, end, quantifier, text } = part;
    const after = end + quantifier.length;
    for (const [other, factor] of quantifiersFor(part)) yield [put(end, after, other), factor];
    if (kind === 'class') {
      for (const [other, factor] of changedClasses(part, characters)) yield [put(start, end, other), factor];
    }
    if (kind === 'character' || kind === 'escape' || kind === 'class') yield [put(start, after, ''), 0.35];
    if (kind === 'lookaround') yield [put(start, end, NEGATED[text] ?? text), 0.4];
  }
  yield* withWhitespaceAtAnchors(pattern);
  yield* withInsertions(pattern, parts, inserted);
  for (const { at, factor } of alternatives) {
    for (const text of [...wordsFor(source), ...characters]) yield [put(at, at, `|${text}`), factor * 0.7];
  }
  for (const { start, end } of alternatives.flatMap(({ items }) => items)) yield [put(start, end, ''), 0.3];
  if (pattern.includes('|') && /^\^|\$$/.test(pattern)) {
    yield [`^(?:${pattern.replace(/^\^|\$$/g, '')})$`, 0.6];
  }
}

/** `/^a|^b$/` → `/^\s*a|^\s*b\s*$/`. */
function* withWhitespaceAtAnchors(pattern: string): Generator<Changed> {
  const starts = pattern.match(/(^|[(|])\^/g) ?? [];
  if (starts.length > 1) {
    const leading = pattern.replace(/(^|[(|])\^/g, '$&\\s*');
    yield [leading, 0.7];
    yield [leading.replace(/\$(?=$|[|)])/g, '\\s*$'), 0.7];
  }
  if (pattern.startsWith('^') && pattern.endsWith('$')) yield [`^\\s*${pattern.slice(1, -1)}\\s*$`, 0.6];
}

/** Whitespace, or one of the characters, after each part. */
function* withInsertions(
  pattern: string,
  parts: readonly RegexPart[],
  characters: readonly string[],
): Generator<Changed> {
  const at = (offset: number, text: string): string =>
    pattern.slice(0, offset) + text + pattern.slice(offset);
  for (const { kind, start, end, quantifier, text } of parts.slice(0, MAX_PARTS)) {
    const after = end + quantifier.length;
    if (kind === 'open' || kind === 'bar') continue;
    yield [at(after, '\\s*'), kind === 'anchor' ? 0.5 : 0.25];
    for (const character of characters) {
      yield [at(after, `${character}?`), 0.22];
      yield [at(after, character), 0.15];
      yield [at(after, `(?!${character})`), 0.12];
    }
    // Numbers in two digits, such as months, often must not be 00.
    const isNumber = kind === 'class' && /^\[\d/.test(text) && pattern.startsWith('\\d', after);
    if (isNumber) yield [at(start, '(?!00)'), 0.5];
  }
}

/** Punctuation from the failing tests' strings, escaped for a pattern. */
function charactersFor({ literals }: SourceView): string[] {
  const short = literals.marks.map((mark) => mark.slice(1, -1)).filter((mark) => /^\\?.$/.test(mark));
  const ofMarks = short.flatMap((mark) => punctuationIn(mark.at(-1)!));
  const marks = [...ofMarks, ...punctuationIn(literals.cases.failing.join(''))];
  const escaped = marks.map((mark) => mark.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&'));
  return [...new Set(escaped)].slice(0, MAX_CHARACTERS);
}

/** Short words among the failing tests' strings. */
function wordsFor({ literals }: SourceView): string[] {
  const words = literals.tested.flatMap((text) => (/^\w{1,12}$/.test(text) ? [text] : []));
  return [...new Set(words)].slice(0, 6);
}

/** Whether a string is an argument of `new RegExp` or looks like a pattern. */
function isPatternText({ parent }: Site, value: string): boolean {
  const { node } = parent ?? {};
  const isCreated =
    node?.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'RegExp';
  return isCreated || /\\[dwsb.]|\[\^|\(\?[:<=!]|[.\])][*+]/.test(value);
}

const NEGATED: Readonly<Record<string, string>> = {
  '(?=': '(?!',
  '(?!': '(?=',
  '(?<=': '(?<!',
  '(?<!': '(?<=',
};
