import type { Node } from '@babel/types';
import { bare } from '../../repair/syntax/walk.ts';
import { atEachSite, shown } from './edit.ts';

/** `void tax;` and `if (tax) {}` become nothing, and `(name, 1)` becomes `1`: values that are computed and not used. */
export const withoutUnusedValues = atEachSite((site, source) => {
  const { node } = site;
  if (node.type === 'ExpressionStatement' && hasNoEffect(node.expression)) return '';
  if (node.type === 'EmptyStatement' && site.index >= 0) return '';
  if (node.type === 'IfStatement' && !node.alternate && isEmpty(node.consequent) && hasNoEffect(node.test))
    return '';
  if (node.type === 'SequenceExpression') {
    const [first, ...rest] = node.expressions;
    if (first === undefined || !hasNoEffect(first)) return undefined;
    return rest.map((it) => shown(source, it)).join(', ');
  }
  return undefined;
});

/** Methods that only put something in. */
const PUTS = /^(?:push|unshift|add)$/;

/** `sent.push(send(text));` becomes `send(text);` where nothing reads the list that the file has made empty. */
export const withoutUnreadLists = atEachSite(({ node }, source) => {
  if (node.type !== 'ExpressionStatement') return undefined;
  const list = listOf(node.expression);
  if (list === undefined || source.declared.get(list) !== 1) return undefined;
  const uses = source.sites.filter(({ node: own }) => own.type === 'Identifier' && own.name === list);
  const isUnread = uses.every(({ node: own, parent }) => {
    if (parent?.node.type === 'VariableDeclarator' && parent.node.id === own)
      return isEmptyList(parent.node.init);
    const statement = parent?.parent?.parent?.node;
    return statement?.type === 'ExpressionStatement' && listOf(statement.expression) === list;
  });
  const { arguments: given } = node.expression as { readonly arguments: readonly Node[] };
  return isUnread ? given.map((it) => `${shown(source, it)};`).join(' ') : undefined;
});

/** The name of the list that a call puts something in. */
function listOf(expression: Node): string | undefined {
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = expression.callee;
  const isPut = property.type === 'Identifier' && PUTS.test(property.name);
  return isPut && object.type === 'Identifier' ? object.name : undefined;
}

function isEmptyList(value: Node | null | undefined): boolean {
  if (value?.type === 'ArrayExpression') return value.elements.length === 0;
  return value?.type === 'NewExpression' && value.arguments.length === 0;
}

/** `void (a === b);` becomes `a === b;`. */
export const withoutVoid = atEachSite((site, source) => {
  const { node } = site;
  if (node.type !== 'ExpressionStatement') return undefined;
  const expression = bare(node.expression);
  return expression.type === 'UnaryExpression' && expression.operator === 'void'
    ? `${shown(source, expression.argument)};`
    : undefined;
});

function isEmpty(node: Node): boolean {
  return node.type === 'EmptyStatement' || (node.type === 'BlockStatement' && node.body.length === 0);
}

const CONVERSIONS = new Set(['String', 'Boolean', 'Number', 'Object', 'Symbol', 'BigInt']);

/** True for an expression that only computes a value. */
function hasNoEffect(expression: Node): boolean {
  const node = bare(expression);
  switch (node.type) {
    case 'Identifier':
    case 'ThisExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true;
    case 'UnaryExpression':
      return node.operator !== 'delete' && hasNoEffect(node.argument);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return hasNoEffect(node.left) && hasNoEffect(node.right);
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate].every(hasNoEffect);
    case 'SequenceExpression':
      return node.expressions.every(hasNoEffect);
    case 'TemplateLiteral':
      return node.expressions.every(hasNoEffect);
    case 'ArrayExpression':
      return node.elements.every((it) => it === null || hasNoEffect(it));
    case 'ObjectExpression':
      return node.properties.every((it) => it.type === 'ObjectProperty' && hasNoEffect(it.value));
    case 'CallExpression':
      return isIdle(node.callee) && node.arguments.every(hasNoEffect);
    default:
      return /Literal$/.test(node.type) && node.type !== 'StringLiteral';
  }
}

/** `String`, or a function without a body: `(() => {})`. */
function isIdle(callee: Node): boolean {
  const node = bare(callee);
  if (node.type === 'Identifier') return CONVERSIONS.has(node.name);
  return (
    node.type === 'ArrowFunctionExpression' &&
    node.body.type === 'BlockStatement' &&
    node.body.body.length === 0
  );
}
