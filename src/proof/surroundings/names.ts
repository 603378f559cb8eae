import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { calledName, type Site } from '../../repair/syntax/walk.ts';

/** The name of the member of this node that is read; undefined for a computed one, and if none is. */
export function memberAt({ node, parent }: Site): string | undefined {
  const member = parent && memberOf(parent.node);
  return member?.object === node ? member.name : undefined;
}

/** True for the name of a property, which refers to no variable. */
export function isKey({ key, parent }: Site): boolean {
  if (parent === undefined) return false;
  const { node } = parent;
  if (node.type === 'MetaProperty') return true;
  if (key === 'property') return 'computed' in node && node.computed !== true;
  if (key === 'label') return true;
  return key === 'key' && !('computed' in node && node.computed === true);
}

/** True for a name in a pattern or a declaration, which gets a value and is not read. */
export function isDeclared({ key, parent }: Site): boolean {
  const { type } = parent?.node ?? {};
  if (type === 'ObjectProperty') return key === 'value' && parent?.parent?.node.type === 'ObjectPattern';
  if (type === 'AssignmentPattern' || type === 'AssignmentExpression') return key === 'left';
  return (
    type === 'ArrayPattern' || type === 'RestElement' || key === 'id' || key === 'params' || key === 'param'
  );
}

const LISTS = /^(?:keys|values|entries|getOwnPropertyNames|getOwnPropertyDescriptors|ownKeys|stringify)$/;

/** True where all names of an object are listed: `Object.keys(object)`, `for (const name in object)`. */
export function isListed({ key, parent }: Site): boolean {
  if (parent?.node.type === 'ForInStatement') return key === 'right';
  if (parent?.node.type !== 'CallExpression' || key !== 'arguments') return false;
  return LISTS.test(calledName(parent.node.callee) ?? '');
}

/** The class of `new X()`, `new y.X()` and `X()`; undefined for other expressions. */
export function madeClass(node: Node): string | undefined {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  return nameOf(node.callee) ?? memberOf(node.callee)?.name;
}

/** The name of a variable. */
export function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

/** The strings in an expression. */
export function textsIn(node: Node | undefined): string[] {
  if (node === undefined) return [];
  if (node.type === 'StringLiteral') return [node.value];
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw);
  if (node.type === 'NewExpression' || node.type === 'CallExpression') return node.arguments.flatMap(textsIn);
  return node.type === 'BinaryExpression' ? [...textsIn(node.left), ...textsIn(node.right)] : [];
}
