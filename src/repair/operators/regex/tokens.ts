import type { Operator } from '../operator.ts';
import { replaceNode } from '../proposals.ts';
import { matchFactors } from './evidence.ts';
import { isValidPattern } from './valid-pattern.ts';

/** Flags, anchors, quantifiers and character classes of a regular expression, each exchanged for a related one. */
export const regex: Operator = {
  name: 'regex',
  prior: 0.6,
  *propose({ node }, source) {
    if (node.type !== 'RegExpLiteral') return;
    const { pattern, flags } = node;
    for (const flag of 'gims') {
      const other = flags.includes(flag) ? flags.replace(flag, '') : [...flags, flag].sort().join('');
      yield replaceNode(node, `/${pattern}/${other}`, flag === 'g' || flag === 'i' ? 1 : 0.4);
    }
    const changed = [...otherPatterns(pattern)].filter(([text]) => isValidPattern(text, flags, pattern));
    const factors = matchFactors(pattern, flags, {
      others: changed.map(([text]) => text),
      cases: source.literals.cases,
    });
    for (const [text, factor] of changed)
      yield replaceNode(node, `/${text}/${flags}`, Math.min(1, factor * (factors.get(text) ?? 1)));
  },
};

function* otherPatterns(pattern: string): Generator<[string, number]> {
  yield [pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`, 0.8];
  yield [pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}$`, 0.8];
  yield [`^${pattern.replace(/^\^|\$$/g, '')}$`, 0.7];
  for (const { index, 0: token } of pattern.matchAll(/\\?[\s\S]/g)) {
    const replaced = (text: string): string =>
      pattern.slice(0, index) + text + pattern.slice(index + token.length);
    for (const other of TOKENS[token] ?? []) yield [replaced(other), 0.7];
    if (/^(\\[dwsDWS]|\]|\)|\.)$/.test(token) && !/[+*?{]/.test(pattern[index + token.length] ?? '')) {
      for (const quantifier of '+*?') yield [replaced(token + quantifier), 0.5];
    }
  }
  for (const [from, to] of RANGES) {
    if (pattern.includes(from)) yield [pattern.replace(from, to), 0.6];
  }
}

/** Related tokens, by the token's source text. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  '+': ['*', '?', '', '+?'],
  '*': ['+', '?', '', '*?'],
  '?': ['', '*', '+'],
  '.': ['\\.'],
  '\\.': ['.'],
  '\\d': ['\\D', '\\w', '[0-9a-f]'],
  '\\D': ['\\d'],
  '\\w': ['\\W', '\\d', '[a-zA-Z]', '[\\w-]', '\\S'],
  '\\W': ['\\w', '\\s'],
  '\\s': ['\\S', '\\s+'],
  '\\S': ['\\s', '\\w'],
  '\\b': ['\\B', ''],
  '^': [''],
};

/** Exchanges of the first occurrence of a text. */
const RANGES = [
  ['a-z', 'a-zA-Z'],
  ['A-Z', 'a-zA-Z'],
  ['a-zA-Z', 'a-zA-Z0-9'],
  ['a-z', 'a-z0-9'],
  ['0-9', '1-9'],
  ['1-9', '0-9'],
  ['[^', '['],
  ['[', '[^'],
] as const;
