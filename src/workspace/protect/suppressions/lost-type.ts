import type { Node } from '@babel/types';
import { visit } from './type-syntax.ts';

/**
 * `JSON.parse(JSON.stringify(x))`, `Reflect.get(x, name)` and `arguments[0]`: the expression has the type `any`, that of `x`
 * is lost.
 */
export function losesType(node: Node | null | undefined): boolean {
  if (node?.type === 'MemberExpression') return isArgument(node);
  if (node?.type !== 'CallExpression') return false;
  const { callee, arguments: given } = node;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  const name = callee.property.type === 'Identifier' ? callee.property.name : '';
  if (callee.object.name === 'Reflect') return /^(get|apply|construct)$/.test(name);
  const [first] = given;
  return callee.object.name === 'JSON' && name === 'parse' && first !== undefined && writesJson(first);
}

function writesJson(node: Node): boolean {
  let writes = false;
  visit(node, (inner) => {
    if (inner.type !== 'MemberExpression' || inner.property.type !== 'Identifier') return;
    const isJson = inner.object.type === 'Identifier' && inner.object.name === 'JSON';
    writes ||= isJson && inner.property.name === 'stringify';
  });
  return writes;
}

function isArgument(node: Extract<Node, { type: 'MemberExpression' }>): boolean {
  return node.computed && node.object.type === 'Identifier' && node.object.name === 'arguments';
}
