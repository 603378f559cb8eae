import { parseExpression } from '@babel/parser';
import type { Node } from '@babel/types';
import { parseSource, parserOptions } from './parse.ts';
import { bare, sitesOf, type Site } from './walk.ts';

/** What the failing tests say about values, as texts of JavaScript literals; anything else is passed over. */
export interface Hints {
  /** Values that the failing tests expected. */
  readonly expected: readonly string[];
  /** Values that they received instead. */
  readonly received: readonly string[];
  /** Other literals that stand in the failing tests. */
  readonly literals: readonly string[];
}

export const NO_HINTS: Hints = { expected: [], received: [], literals: [] };

/** Literals worth proposing in a file, as source text, most telling first, each once. */
export interface LiteralPool {
  readonly numbers: readonly string[];
  readonly strings: readonly string[];
  /** Single characters that the strings above are made of. */
  readonly characters: readonly string[];
  /** Whole expected values: `null`, `[]`, `'none'`. */
  readonly expected: readonly string[];
}

const POOL_LIMIT = 24;
const TEXT_LIMIT = 60;

/** Literals of a test's source, to be given as hints; empty for a text that does not parse. */
export function literalsIn(file: string, text: string): string[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  return [...new Set(sitesOf(parsed.tree.program).flatMap(literalText))];
}

/** The literals of a file and of the hints. */
export function literalPool(sites: readonly Site[], hints: Hints): LiteralPool {
  const own = [...new Set(sites.flatMap(literalText))];
  const expected = [...new Set(hints.expected.flatMap(asLiteral))];
  const all = [...expected, ...own, ...hints.literals.flatMap(asLiteral)];
  const strings = unique(all.filter((text) => /^['"]/.test(text)).map(singleQuoted));
  return {
    numbers: unique(all.filter((text) => /^-?[\d.]/.test(text))),
    strings,
    characters: unique(strings.flatMap((text) => [...text.slice(1, -1).replaceAll('\\', '')])),
    expected: expected.slice(0, POOL_LIMIT),
  };
}

/** A string as source text in single quotes. */
export function quote(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, POOL_LIMIT);
}

function singleQuoted(text: string): string {
  const node = parseExpression(text);
  return node.type === 'StringLiteral' ? quote(node.value) : text;
}

function literalText({ node, key, parent }: Site): string[] {
  if (node.type === 'NumericLiteral') return [String(node.extra?.['raw'] ?? node.value)];
  if (node.type !== 'StringLiteral' || node.value.length > TEXT_LIMIT) return [];
  return key === 'source' || parent?.node.type === 'JSXAttribute' ? [] : [quote(node.value)];
}

function asLiteral(text: string): string[] {
  if (text.length > TEXT_LIMIT) return [];
  try {
    return isLiteral(parseExpression(text, parserOptions('hint.js'))) ? [text] : [];
  } catch {
    return [];
  }
}

function isLiteral(expression: Node): boolean {
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
