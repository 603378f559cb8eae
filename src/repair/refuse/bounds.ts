import type { Node } from '@babel/types';
import { bare } from '../syntax/walk.ts';
import { isLiteralNode, valueText } from './literal-value.ts';

/** `x >= 5`: a lower bound; `x < 5`: an upper one. */
interface Bound {
  readonly subject: string;
  readonly side: 'lower' | 'upper';
  readonly limit: number;
}

type Logical = Extract<Node, { type: 'LogicalExpression' }>;

/**
 * Whether two bounds of one expression make a part of a condition useless: `x > 3 && x > 5`, `x > 5 && x < 3` (never
 * true), `x > 3 || x < 5` (always true).
 */
export function hasUselessBound(node: Logical, textOf: (node: Node) => string): boolean {
  if (node.operator === '??') return false;
  const bounds = operandsOf(node, node.operator).flatMap((operand) => boundOf(operand, textOf) ?? []);
  return bounds.some((a, index) =>
    bounds.slice(index + 1).some((b) => a.subject === b.subject && areUseless(a, b, node.operator)),
  );
}

function areUseless(a: Bound, b: Bound, operator: Logical['operator']): boolean {
  if (a.side === b.side) return true;
  const [lower, upper] = a.side === 'lower' ? [a, b] : [b, a];
  return operator === '&&' ? lower.limit > upper.limit : lower.limit < upper.limit;
}

function operandsOf(node: Node, operator: Logical['operator']): Node[] {
  const inner = bare(node);
  return inner.type === 'LogicalExpression' && inner.operator === operator
    ? [...operandsOf(inner.left, operator), ...operandsOf(inner.right, operator)]
    : [inner];
}

function boundOf(node: Node, textOf: (node: Node) => string): Bound | undefined {
  if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator)) return undefined;
  const isLess = node.operator.startsWith('<');
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  if (right !== undefined && left === undefined)
    return { subject: textOf(node.left), side: isLess ? 'upper' : 'lower', limit: right };
  if (left !== undefined && right === undefined)
    return { subject: textOf(node.right), side: isLess ? 'lower' : 'upper', limit: left };
  return undefined;
}

function numberOf(node: Node): number | undefined {
  const value = isLiteralNode(node) ? Number(valueText(node)) : NaN;
  return Number.isNaN(value) ? undefined : value;
}
