import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { bare } from '../../repair/syntax/walk.ts';
import { atEachSite } from './edit.ts';

type Constant = number | string | boolean;

/** `Number('none')` becomes `NaN`, and `'con' + 'sole'` one text. */
export const withConstants = atEachSite((site) => {
  const node = bare(site.node);
  if (/Literal$|^Identifier$/.test(node.type) && node.type !== 'TemplateLiteral') return undefined;
  if (site.parent?.node.type === 'UnaryExpression') return undefined;
  const value = constantOf(node);
  if (value === undefined || (node.type === 'UnaryExpression' && isNumber(node.argument))) return undefined;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
});

function isNumber(node: Node): boolean {
  return node.type === 'NumericLiteral';
}

/** The value of an expression of literals; undefined for other expressions. */
export function constantOf(expression: Node): Constant | undefined {
  const node = bare(expression);
  switch (node.type) {
    case 'NumericLiteral':
    case 'StringLiteral':
    case 'BooleanLiteral':
      return node.value;
    case 'Identifier':
      return node.name === 'NaN' ? NaN : undefined;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? (node.quasis[0]!.value.cooked ?? undefined) : undefined;
    case 'UnaryExpression':
      if (/^[-+]$/.test(node.operator) && isUndefined(node.argument)) return NaN;
      return ofUnary(node.operator, constantOf(node.argument));
    case 'BinaryExpression':
      return ofBinary(node.operator, constantOf(node.left), constantOf(node.right));
    case 'MemberExpression':
      return isNotANumber(node) ? NaN : undefined;
    case 'CallExpression':
      return ofCall(node);
    default:
      return undefined;
  }
}

function isUndefined(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'undefined';
}

function isNotANumber(node: Node): boolean {
  const member = memberOf(node);
  return member?.name === 'NaN' && member.object.type === 'Identifier' && member.object.name === 'Number';
}

function ofUnary(operator: string, value: Constant | undefined): Constant | undefined {
  if (value === undefined) return undefined;
  if (operator === '!') return !value;
  if (operator === '-') return -Number(value);
  return operator === '+' ? Number(value) : undefined;
}

function ofBinary(
  operator: string,
  left: Constant | undefined,
  right: Constant | undefined,
): Constant | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '+') return (left as string) + (right as string);
  if (operator === '===') return left === right;
  if (operator === '!==') return left !== right;
  const [a, b] = [Number(left), Number(right)];
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : undefined;
}

const FUNCTIONS: Readonly<Record<string, (value: Constant) => Constant>> = {
  Number,
  parseInt: (value) => Number.parseInt(String(value), 10),
  parseFloat: (value) => Number.parseFloat(String(value)),
  String,
};

function ofCall({
  callee,
  arguments: given,
}: Extract<Node, { type: 'CallExpression' }>): Constant | undefined {
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  const [first] = given;
  if (name === 'Number' && first && isUndefined(first)) return NaN;
  const value = first && constantOf(first);
  if (name === undefined || value === undefined || given.length !== 1) return undefined;
  const isMath =
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Math';
  if (isMath) return (Math as unknown as Record<string, (it: number) => number>)[name]?.(Number(value));
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]!(value) : undefined;
}
