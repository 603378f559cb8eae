import type { Node } from '@babel/types';
import { parseExpression } from '@babel/parser';
import { isLiteral } from '../syntax/literals.ts';
import { parserOptions } from '../syntax/parse.ts';
import { bare, type Site } from '../syntax/walk.ts';

/** A literal that is not part of a larger literal. */
export interface LiteralSite {
  readonly site: Site;
  /** Text that is equal for literals of equal value. */
  readonly value: string;
}

/** Values that occur in most programs and tests: inserting one does not show that an edit copies a result. */
const COMMON = /^(true|false|null|undefined|NaN|-?Infinity|-?[0-2]|""|\[\]|\{\})$/;

/** Whether a value is so common that its presence in a test says nothing. */
export function isCommon(value: string): boolean {
  return COMMON.test(value);
}

/** The largest literals of a tree, in source order; `undefined` and its like only as whole values. */
export function literalsOf(sites: readonly Site[]): LiteralSite[] {
  return sites.flatMap((site) => {
    if (!isValue(site) || site.parent === undefined || isPartOfLiteral(site)) return [];
    return [{ site, value: valueText(site.node) }];
  });
}

/** Text of a literal, equal for equal values, whatever their quotes and spaces. */
export function valueText(node: Node): string {
  const inner = bare(node);
  switch (inner.type) {
    case 'NumericLiteral':
      return String(inner.value);
    case 'StringLiteral':
      return JSON.stringify(inner.value);
    case 'TemplateLiteral':
      return JSON.stringify(inner.quasis[0]?.value.cooked ?? '');
    case 'BooleanLiteral':
      return String(inner.value);
    case 'NullLiteral':
      return 'null';
    case 'Identifier':
      return inner.name;
    case 'UnaryExpression':
      return `-${valueText(inner.argument)}`.replace(/^--/, '').replace(/^-0$/, '0');
    case 'ArrayExpression':
      return `[${inner.elements.map((element) => (element === null ? '' : valueText(element))).join(',')}]`;
    case 'ObjectExpression':
      return `{${inner.properties.map(propertyText).sort().join(',')}}`;
    default:
      return inner.type;
  }
}

/** The value of a literal in source text; undefined for other texts. */
export function valueOfText(text: string): string | undefined {
  try {
    const node = parseExpression(text, parserOptions('value.js'));
    return isLiteralNode(node) ? valueText(node) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an expression is a literal, a template without expressions included. */
export function isLiteralNode(node: Node): boolean {
  const inner = bare(node);
  return (inner.type === 'TemplateLiteral' && inner.expressions.length === 0) || isLiteral(inner);
}

/** Values of all literals of a tree, those inside of arrays and objects included. */
export function valuesIn(sites: readonly Site[]): Set<string> {
  return new Set(sites.filter(isValue).map(({ node }) => valueText(node)));
}

function propertyText(property: Node): string {
  if (property.type !== 'ObjectProperty') return property.type;
  const { key, value } = property;
  return `${key.type === 'Identifier' ? JSON.stringify(key.name) : valueText(key)}:${valueText(value)}`;
}

function isValue({ node, key, parent }: Site): boolean {
  if (node.type === 'ParenthesizedExpression' || key === 'source') return false;
  if (key === 'key' && parent?.node.type === 'ObjectProperty') return false;
  if (node.type === 'Identifier' && (key === 'property' || key === 'id' || key === 'left')) return false;
  return isLiteralNode(node);
}

function isPartOfLiteral({ parent }: Site): boolean {
  for (let at = parent; at !== undefined; at = at.parent) {
    if (at.node.type === 'ObjectProperty') continue;
    if (isLiteralNode(at.node)) return true;
    if (at.node.type !== 'ParenthesizedExpression') return false;
  }
  return false;
}
