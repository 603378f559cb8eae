import type { Node } from '@babel/types';
import { FUNCTION, type Bound, type Parents } from './declared-names.ts';
import { isMadeText, isSpelled, takesByName } from './made-names.ts';
import { memberNameOf, nameOf } from './member-names.ts';
import { PURE_GLOBALS } from './pure-names.ts';

export const MADE_NAME = 'takes a member of a function, or calls one, by a name that is made at run time';

const GLOBALS = globalThis as unknown as Readonly<Record<string, unknown>>;
/** Names of the functions that every list, text, number and function has. */
const METHODS = new Set(
  [Array, String, Number, Function, RegExp, Promise]
    .flatMap(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    .filter(([, { value }]) => typeof value === 'function')
    .map(([name]) => name),
);
/** Those that are as well names of data, such as `table.keys[at]`; a member that is called is none of data. */
const DATA = new Set(
  `at bold big blink catch concat copyWithin entries every fill filter find finally fixed flat includes indexOf italics join keys
  length link map match name normalize repeat replace reverse search shift slice small some sort splice split strike sub sup test
  then values with`.split(/\s+/),
);

type Member = Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>;

/**
 * Whether a member may be the constructor of functions, which runs text as code, though the source does not name it: a member of
 * a function by a computed name, or one by a name that is put together of literals, or one that is called as this constructor
 * would be, such as `a[b](text)()`.
 */
export function makesName(node: Member, parents: Parents, bound: Bound): boolean {
  if (!node.computed || memberNameOf(node) !== undefined || isNumber(node.property)) return false;
  const isCalled = isCallee(node, parents.at(-1));
  const isCalledTwice = isCalled && isCallee(parents.at(-1)!, parents.at(-2));
  return (
    node.object.type === 'Super' ||
    (isFunction(node.object, bound) && (isCalled || !isDataName(node.object))) ||
    isSpelled(node.property, bound.texts) ||
    isCalledTwice ||
    (isCalled && (isMadeText(node.property) || isTakenAlike(node)))
  );
}

/** `{ __proto__: total }`. */
export function givesPrototype(
  { key, value, computed }: Extract<Node, { type: 'ObjectProperty' }>,
  bound: Bound,
): boolean {
  return nameOf(key, computed) === '__proto__' && isFunction(value, bound);
}

/** `table.keys`, but not `[].keys`. */
function isDataName(node: Node): boolean {
  const isOfValue = 'object' in node && /Literal$|^ArrayExpression$/.test((node.object as Node).type);
  return !isOfValue && DATA.has(memberNameOf(node) ?? '');
}

function isNumber({ type }: Node): boolean {
  return type === 'NumericLiteral' || type === 'UpdateExpression';
}

/** Whether an expression can be a function: of the source, of the language, or a method of a list or a text. */
function isFunction(node: Node, bound: Bound): boolean {
  if (FUNCTION.test(node.type)) return true;
  switch (node.type) {
    case 'Identifier':
      return bound.functions.has(node.name) || (!bound.names.has(node.name) && isGlobalFunction(node.name));
    case 'LogicalExpression':
      return isFunction(node.left, bound) || isFunction(node.right, bound);
    case 'ConditionalExpression':
      return isFunction(node.consequent, bound) || isFunction(node.alternate, bound);
    case 'SequenceExpression':
      return isFunction(node.expressions.at(-1)!, bound);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isFunction(node.expression, bound);
    default: {
      const name = memberNameOf(node);
      return name !== undefined && METHODS.has(name);
    }
  }
}

/** Whether a call takes a member of a function by a computed name, or gives an object all that a function has. */
export function handsOnMembers(callee: Node, args: readonly Node[], bound: Bound): boolean {
  const [first, second] = args;
  const name = memberNameOf(callee);
  if (takesByName(callee) && first && second)
    return isSpelled(second, bound.texts) || (isFunction(first, bound) && second.type !== 'StringLiteral');
  if (first === undefined || second === undefined) return false;
  if (name === 'setPrototypeOf') return isFunction(second, bound) && !isFunction(first, bound);
  return name !== undefined && /^reduce(?:Right)?$/.test(name) && isFunction(second, bound);
}

function isGlobalFunction(name: string): boolean {
  return PURE_GLOBALS.has(name) && typeof GLOBALS[name] === 'function';
}

function isCallee(node: Node, parent: Node | undefined): boolean {
  return parent !== undefined && 'callee' in parent && parent.callee === node;
}

/** `x[name][name]`. */
function isTakenAlike({ object, property }: Member): boolean {
  return (
    (object.type === 'MemberExpression' || object.type === 'OptionalMemberExpression') &&
    object.computed &&
    object.property.type === 'Identifier' &&
    property.type === 'Identifier' &&
    object.property.name === property.name
  );
}
