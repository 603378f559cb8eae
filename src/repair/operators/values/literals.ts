import { quote } from '../../syntax/literals.ts';
import { fit, Precedence } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { replaceNode, replaceRange } from '../proposals.ts';
import { isNearby } from './nearby.ts';

/** `1` → `0`, `2`, `-1`, `10`, and other numbers of the file and its failing tests. */
export const number: Operator = {
  name: 'number',
  prior: 0.7,
  *propose(site, { literals, textOf }) {
    const { node, parent } = site;
    if (node.type !== 'NumericLiteral' || site.key === 'key') return;
    const negative = parent?.node.type === 'UnaryExpression' && parent.node.operator === '-';
    const isIndex =
      site.key === 'property' && parent?.node.type === 'MemberExpression' && parent.node.computed;
    const { value } = node;
    const step = Number.isInteger(value) ? 1 : 0.1;
    const near = neighbours(value, step).map(([number, factor]) => [String(number), factor] as const);
    const known = literals.numbers.map((text) => [text, 0.5] as const);
    for (const [other, factor] of [...near, ...known]) {
      // Negative indices have no element.
      if (other === textOf(node) || (isIndex && other.startsWith('-'))) continue;
      const precedence = other.startsWith('-') ? Precedence.unary : Precedence.primary;
      yield replaceNode(
        node,
        fit(site, other, precedence),
        isNoOp(site, other) ? factor * NO_OP_FACTOR : factor,
      );
    }
    for (const usual of USUAL) yield replaceNode(node, usual, 0.12);
    if (negative) yield replaceNode(parent.node, fit(parent, String(value), Precedence.primary), 0.8);
  },
};

/** Penalty for a number that makes its operation have no effect. */
const NO_OP_FACTOR = 0.2;

/** Whether the number would make `x + 0`, `x - 0`, `x * 1` or `x / 1`. */
function isNoOp({ key, parent }: Site, text: string): boolean {
  if (parent?.node.type !== 'BinaryExpression') return false;
  const { operator } = parent.node;
  if (text === '0') return operator === '+' || (operator === '-' && key === 'right');
  return text === '1' && (operator === '*' || (operator === '/' && key === 'right'));
}

/** `'a'` → other strings of the file and its failing tests, likely misspellings first, and `''`. */
export const string: Operator = {
  name: 'string',
  prior: 0.6,
  *propose(site, { literals }) {
    const { node } = site;
    if (node.type !== 'StringLiteral' || !isText(site)) return;
    const own = quote(node.value);
    for (const other of literals.strings) {
      if (other !== own) yield replaceNode(node, other, isNearby(own, other) ? 1 : 0.5);
    }
    if (node.value.length === 1) {
      for (const character of literals.characters) {
        if (character !== node.value) yield replaceNode(node, quote(character), 0.5);
      }
    }
    if (node.value !== '') yield replaceNode(node, "''", 0.6);
    if (node.value !== ' ') yield replaceNode(node, "' '", 0.4);
    for (const variant of variants(node.value)) yield replaceNode(node, quote(variant), 0.4);
  },
};

/** `true` ↔ `false`. */
export const boolean: Operator = {
  name: 'boolean',
  prior: 0.9,
  *propose({ node }) {
    if (node.type === 'BooleanLiteral') yield replaceNode(node, String(!node.value));
  },
};

/** `null` or `undefined` → each other, `''`, `0`, `[]`, `{}` or `false`. */
export const nothing: Operator = {
  name: 'nothing',
  prior: 0.35,
  *propose(site) {
    const { node } = site;
    const isUndefined = node.type === 'Identifier' && node.name === 'undefined' && isRead(site);
    if (node.type !== 'NullLiteral' && !isUndefined) return;
    for (const other of ['null', 'undefined', "''", '0', '[]', 'false']) yield replaceNode(node, other);
    yield replaceNode(node, fit(site, '{}', Precedence.call), 0.6);
  },
};

/** Adds or removes whitespace and separators in a template's text. */
export const templateText: Operator = {
  name: 'template-text',
  prior: 0.4,
  *propose({ node, parent }) {
    if (node.type !== 'TemplateElement' || parent?.node.type !== 'TemplateLiteral') return;
    const { raw } = node.value;
    const trimmed = [raw.trim(), raw.trimStart(), raw.trimEnd(), ''];
    const changed = raw === '' ? [' ', ',', '-'] : [...trimmed, `${raw} `, ` ${raw}`];
    for (const text of new Set(changed)) {
      if (text !== raw) yield replaceRange(node.start!, node.end!, text);
    }
  },
};

function neighbours(value: number, step: number): [number, number][] {
  const near: [number, number][] = [
    [round(value + step), 1],
    [round(value - step), 1],
    [0, 0.9],
    [1, 0.9],
    [-1, 0.6],
    [2, 0.5],
    [-value, 0.5],
    [value * 10, 0.4],
    [value / 10, 0.4],
    [value * 2, 0.4],
    [value / 2, 0.4],
    [value * 100, 0.2],
    [value * 1000, 0.2],
    [value / 1000, 0.2],
  ];
  return near.filter(([other]) => other !== value && Number.isFinite(other) && !Object.is(other, -0));
}

function round(value: number): number {
  return Number(value.toFixed(10));
}

/** Common constants: bases, character codes, byte limits, percentages, calendar and time units. */
const USUAL = (
  '3 4 5 6 7 8 9 10 12 16 24 26 28 29 30 31 32 36 48 57 58 59 60 64 65 90 91 97 99 100 122 123 127 128 180 255 256 ' +
  '360 365 366 400 500 999 1000 1024 3600 60000 3600000 86400000 Infinity'
).split(' ');

function variants(value: string): string[] {
  const cased = [value.toLowerCase(), value.toUpperCase()];
  const spaced = value.trim() === '' ? [] : [value.trim(), `${value} `, ` ${value}`];
  return [...new Set([...cased, ...spaced])].filter((variant) => variant !== value);
}

function isText({ key, parent }: Site): boolean {
  return key !== 'key' && key !== 'source' && parent?.node.type !== 'JSXAttribute' && key !== 'id';
}
