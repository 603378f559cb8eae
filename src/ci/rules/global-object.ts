import type { Node } from '@babel/types';
import { FUNCTION, type Parents } from './declared-names.ts';
import { isMember, memberNameOf } from './member-names.ts';
import { PURE_GLOBALS, PURE_MEMBERS } from './pure-names.ts';

const GLOBAL_OBJECT = /^global(?:This)?$/;
/** Members of the global object that reach outside, or lead there. */
const OUTER = new Set(
  Object.getOwnPropertyNames(globalThis).filter((name) => !PURE_GLOBALS.has(name) || name in PURE_MEMBERS),
);

/**
 * The global name that an expression stands for: `process`, or `globalThis.process`. Undefined for other expressions.
 * `isDeclared`: whether a name is one of the source's own.
 */
export function globalNameOf(node: Node, isDeclared: (name: string) => boolean): string | undefined {
  if (node.type === 'Identifier') return isDeclared(node.name) ? undefined : node.name;
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined;
  const object = globalNameOf(node.object, isDeclared);
  return object !== undefined && GLOBAL_OBJECT.test(object) ? memberNameOf(node) : undefined;
}

/** True for a name of the global object. */
export function isGlobalObject(name: string): boolean {
  return GLOBAL_OBJECT.test(name);
}

/**
 * Whether `this` of a plain function is handed on as a whole: in a script it is the global object if nobody says
 * otherwise. Functions that are members of something, and members of `this`, are the ordinary use.
 */
export function handsOnThis(node: Node, parents: Parents): boolean {
  const parent = parents.at(-1);
  if (node.type !== 'ThisExpression' || parent === undefined) return false;
  const member = isMember(parent) ? memberNameOf(parent) : undefined;
  if (member !== undefined && !OUTER.has(member)) return false;
  if (parents.some(isStrict)) return false;
  const at = parents.findLastIndex((it) => FUNCTION.test(it.type) && it.type !== 'ArrowFunctionExpression');
  const owner = parents[at];
  if (owner === undefined || /^Class|Method$/.test(owner.type)) return false;
  const holder = parents[at - 1];
  return (
    owner.type === 'FunctionDeclaration' ||
    (holder !== undefined && 'callee' in holder && (holder.callee as Node) === owner) ||
    (isMember(holder ?? owner) && holder !== undefined && 'object' in holder && holder.object === owner)
  );
}

function isStrict(node: Node): boolean {
  if (/^Class/.test(node.type)) return true;
  if (node.type === 'Program')
    return node.sourceType === 'module' || node.directives.some(({ value }) => value.value === 'use strict');
  return (
    'body' in node &&
    typeof node.body === 'object' &&
    node.body !== null &&
    'directives' in node.body &&
    (node.body.directives as readonly { readonly value: { readonly value: string } }[]).some(
      ({ value }) => value.value === 'use strict',
    )
  );
}
