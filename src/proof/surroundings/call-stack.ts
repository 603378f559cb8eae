import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import type { Site } from '../../repair/syntax/walk.ts';
import { madeClass, nameOf } from './names.ts';

/** The class of which an expression, or the variable that it names, is a new object: `Error` of `new Error()`. */
export type ClassOf = (node: Node) => string | undefined;

/** True where code reads the call stack, takes it out of a new error, or makes a text of one. */
export function readsCallStack(site: Site, classOf: ClassOf): boolean {
  return readsStack(site.node, classOf) || takesStack(site) || showsNewError(site.node, classOf);
}

function isError(node: Node, classOf: ClassOf): boolean {
  return classOf(node)?.endsWith('Error') === true;
}

/** `new Error().stack` and `arguments.callee`; a property `stack` of anything else may be the product's own. */
function readsStack(node: Node, classOf: ClassOf): boolean {
  const member = memberOf(node);
  if (member === undefined) return false;
  const { object, name } = member;
  if (object.type === 'Identifier' && object.name === 'arguments') return /^(callee|caller)$/.test(name);
  const isCaught = object.type === 'Identifier' && /^(e|err|error|cause)$/i.test(object.name);
  return name === 'stack' && (isError(object, classOf) || isCaught);
}

/** `const { stack } = new Error()`. */
function takesStack({ node, key, parent }: Site): boolean {
  if (
    key !== 'init' ||
    parent?.node.type !== 'VariableDeclarator' ||
    madeClass(node)?.endsWith('Error') !== true
  )
    return false;
  const { id } = parent.node;
  return id.type === 'ObjectPattern' && id.properties.some((it) => 'key' in it && nameOf(it.key) === 'stack');
}

/** `inspect(new Error())`: a text with the stack. */
function showsNewError(node: Node, classOf: ClassOf): boolean {
  if (node.type !== 'CallExpression') return false;
  const name = nameOf(node.callee) ?? memberOf(node.callee)?.name ?? '';
  const shows = /^(inspect|format(WithOptions)?|structuredClone|serialize|getOwnPropertyDescriptors?)$/;
  return shows.test(name) && node.arguments.some((it) => isError(it, classOf));
}

/** `new Console(stream).trace()`, which writes the call stack. */
export function traces(node: Node, classOf: ClassOf): boolean {
  const member = node.type === 'CallExpression' ? memberOf(node.callee) : undefined;
  return member?.name === 'trace' && classOf(member.object) === 'Console';
}
