import type { Node } from '@babel/types';
import type { Kind } from '../../syntax/kinds.ts';
import { Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { kindOfBinding } from '../binding-kinds.ts';
import type { Operator } from '../operator.ts';
import { replaceNode, replaceSite } from '../proposals.ts';

/** `x` → `x.toLowerCase()`, `x.sort()`, `x.slice(1)`: appends a method call. */
export const append: Operator = {
  name: 'append',
  prior: 0.4,
  *propose(site, { textOf, kindOf }) {
    const { node } = site;
    if (!isValue(node) || !isRead(site) || site.key === 'object' || site.key === 'callee') return;
    const kind = kindOf(node);
    if (isCalculated(site.parent?.node) && kind !== 'unknown') return;
    for (const { text, on, factor } of STEPS) {
      if (kind === 'unknown' || kind === on)
        yield replaceSite(site, textOf(node) + text, Precedence.call, factor * (kind === on ? 1 : 0.6));
    }
  },
};

/** `x.split('')` → `x.trim().split('')`: inserts a method call into a chain. */
export const appendInside: Operator = {
  name: 'append-inside',
  prior: 0.35,
  *propose(site, { textOf, kindOf }) {
    const { node, key } = site;
    if (key !== 'object' || !isValue(node) || node.type === 'MemberExpression') return;
    const kind = kindOf(node);
    for (const { text, on, factor } of STEPS) {
      const fits = kind === 'unknown' || kind === on;
      if (fits && text !== '.length')
        yield replaceNode(node, textOf(node) + text, factor * (kind === on ? 1 : 0.6));
    }
  },
};

/** `x` → `x.slice(i)`, `x.slice(0, i)`, `x[i]`: part of a string or array, by a number in scope. */
export const part: Operator = {
  name: 'part',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'Identifier' || !isRead(site) || site.key === 'callee' || site.key === 'object') return;
    const kind = source.kindOf(node);
    if (kind !== 'string' && kind !== 'array' && kind !== 'unknown') return;
    const numbers = source.visibleAt(site).filter((binding) => kindOfBinding(binding, source) === 'number');
    for (const { name } of numbers.slice(0, 5)) {
      if (name === node.name) continue;
      yield replaceNode(node, `${node.name}.slice(${name})`, 1);
      yield replaceNode(node, `${node.name}.slice(0, ${name})`, 0.9);
      yield replaceNode(node, `${node.name}[${name}]`, 0.9);
    }
  },
};

/** `x.trim().length` → `x.length`: removes a method call from a chain. */
export const dropStep: Operator = {
  name: 'drop-step',
  prior: 0.5,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const { object } = node.callee;
    if (object.type === 'ThisExpression' || object.type === 'Super' || isNamespace(object)) return;
    yield replaceSite(site, textOf(object), precedenceOf(object));
  },
};

interface Step {
  readonly text: string;
  readonly on: Kind;
  readonly factor: number;
}

const STEPS: readonly Step[] = [
  { text: '.toLowerCase()', on: 'string', factor: 1 },
  { text: '.toUpperCase()', on: 'string', factor: 0.8 },
  { text: '.trim()', on: 'string', factor: 0.9 },
  { text: ".split('')", on: 'string', factor: 0.5 },
  { text: '.sort()', on: 'array', factor: 0.9 },
  { text: '.sort((a, b) => a - b)', on: 'array', factor: 0.7 },
  { text: '.reverse()', on: 'array', factor: 0.8 },
  { text: '.slice()', on: 'array', factor: 0.7 },
  { text: '.slice(1)', on: 'array', factor: 0.8 },
  { text: '.slice(0, -1)', on: 'array', factor: 0.7 },
  { text: '.filter(Boolean)', on: 'array', factor: 0.6 },
  { text: '.flat()', on: 'array', factor: 0.5 },
  { text: ".join('')", on: 'array', factor: 0.6 },
  { text: ".join(' ')", on: 'array', factor: 0.5 },
  { text: '.length', on: 'array', factor: 0.7 },
  { text: '.length', on: 'string', factor: 0.5 },
  { text: '.toString()', on: 'number', factor: 0.5 },
  { text: '.toFixed(2)', on: 'number', factor: 0.3 },
];

function isValue(node: Node): boolean {
  return /^(Identifier|MemberExpression|CallExpression|ArrayExpression|ParenthesizedExpression|ThisExpression)$/.test(
    node.type,
  );
}

function isCalculated(parent: Node | undefined): boolean {
  return parent?.type === 'BinaryExpression' && /^[-*/%]$/.test(parent.operator);
}

function isNamespace(node: Node): boolean {
  return node.type === 'Identifier' && /^[A-Z]/.test(node.name);
}
