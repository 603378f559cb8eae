import type { Node } from '@babel/types';
import { tells } from './constructor-texts.ts';
import { visit, type Parents } from './declared-names.ts';
import { isMember, memberNameOf, nameOf } from './member-names.ts';

const PROTOTYPE = 'reaches the prototype of a value, whose members can run text as code';
/** Functions that are given a prototype and hand out none of its members. */
const TAKES_PROTOTYPE = /^(?:create|setPrototypeOf|getPrototypeOf|isPrototypeOf)$/;
/** Names by which a prototype is taken. */
const TAKEN = /^(?:__proto__|getPrototypeOf|__lookupGetter__)$/;

/**
 * Whether a node takes the prototype of a value and lets any member of it be read: the prototype of a function has the
 * constructor that runs text as code. Comparisons, members by their names and copies of an object are the ordinary use.
 */
export function prototypeReach(node: Node, parents: Parents): string | undefined {
  const parent = parents.at(-1);
  if (parent === undefined) return undefined;
  if (node.type === 'ObjectProperty')
    return parent.type === 'ObjectPattern' && TAKEN.test(nameOf(node.key, node.computed) ?? '')
      ? PROTOTYPE
      : undefined;
  if (!TAKEN.test(memberNameOf(node) ?? '')) return undefined;
  const chain = isCalled(node, parents) ? parents : [...parents, node];
  return isOrdinary(chain, chain.length - 1, []) ? undefined : PROTOTYPE;
}

function isCalled(node: Node, parents: Parents): boolean {
  const parent = parents.at(-1);
  return parent !== undefined && isCall(parent) && 'callee' in parent && parent.callee === node;
}

function isCall({ type }: Node): boolean {
  return type === 'CallExpression' || type === 'OptionalCallExpression';
}

/**
 * Whether the value of `chain[at]` is only compared, asked for a named member, or given to a new object. `seen`: names whose
 * uses are being looked at.
 */
function isOrdinary(chain: Parents, at: number, seen: readonly string[]): boolean {
  const value = chain[at]!;
  const user = chain[at - 1];
  if (user === undefined) return false;
  switch (user.type) {
    case 'BinaryExpression':
    case 'ExpressionStatement':
      return true;
    case 'UnaryExpression':
      return user.operator !== 'delete';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return user.object === value && memberNameOf(user) !== undefined;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return (
        user.callee !== value && (TAKES_PROTOTYPE.test(memberNameOf(user.callee) ?? '') || tells(user.callee))
      );
    case 'IfStatement':
    case 'WhileStatement':
      return user.test === value;
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return ('test' in user && user.test === value) || isOrdinary(chain, at - 1, seen);
    case 'VariableDeclarator':
      return isNameOrdinary(chain[0]!, user.id, seen);
    case 'AssignmentExpression':
      return user.right === value && isNameOrdinary(chain[0]!, user.left, seen);
    default:
      return false;
  }
}

/** Whether everything that a source does with a name is ordinary. */
function isNameOrdinary(root: Node, target: Node, seen: readonly string[]): boolean {
  if (target.type !== 'Identifier') return false;
  const { name } = target;
  if (seen.includes(name)) return true;
  let isAll = true;
  visit(root, [], (node, parents) => {
    if (node.type !== 'Identifier' || node.name !== name || !isRead(node, parents.at(-1))) return;
    isAll &&= isOrdinary([...parents, node], parents.length, [...seen, name]);
  });
  return isAll;
}

/** Whether an identifier is a value that is read, not a key, a declared name or the target of an assignment. */
function isRead(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (isMember(parent) && 'property' in parent && parent.property === node)
    return 'computed' in parent && parent.computed === true;
  if ('key' in parent && parent.key === node && !('shorthand' in parent && parent.shorthand === true))
    return false;
  if (parent.type === 'VariableDeclarator') return parent.id !== node;
  if (parent.type === 'AssignmentExpression') return parent.left !== node;
  return true;
}
