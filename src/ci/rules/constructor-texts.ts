import type { Node } from '@babel/types';
import { visit, type Parents } from './declared-names.ts';
import { isMember, memberNameOf } from './member-names.ts';

/** Functions that only tell whether a text is there. */
const TELLS = /^(?:includes|has|hasOwn|hasOwnProperty|propertyIsEnumerable|indexOf|lastIndexOf|test)$/;
/** Functions of lists whose callbacks see each item. */
const ASKS = /^(?:includes|has|indexOf|lastIndexOf|some|every)$/;

/**
 * Whether the text `constructor` stands where a name can be made of it. Comparisons, questions whether a key is one of a list, and
 * variables, whose uses are judged themselves, are the ordinary use: lists of keys that nobody may set have it.
 */
export function namesConstructor(node: Node, parents: Parents): boolean {
  const text =
    node.type === 'StringLiteral' ? node.value : node.type === 'TemplateElement' ? node.value.raw : '';
  if (text !== 'constructor') return false;
  const at = node.type === 'TemplateElement' ? parents.length - 1 : parents.length;
  return !isAsked([...parents, node], at);
}

/** Whether the value of `chain[at]` is only asked for. */
function isAsked(chain: Parents, at: number): boolean {
  const value = chain[at]!;
  const user = chain[at - 1];
  if (user === undefined) return true;
  switch (user.type) {
    case 'CallExpression':
    case 'OptionalCallExpression':
      return tells(user.callee);
    case 'NewExpression':
      return value.type === 'ArrayExpression' && user.callee.type === 'Identifier' && isHeld(chain, at - 1);
    case 'ArrayExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isHeld(chain, at - 1);
    case 'ObjectProperty':
      return user.key === value;
    case 'AssignmentPattern':
    case 'AssignmentExpression':
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
      return 'test' in user && user.test === value;
    default:
      return true;
  }
}

/** `keys.includes('constructor')`, `Object.prototype.hasOwnProperty.call(value, 'constructor')`. */
export function tells(callee: Node): boolean {
  const name = memberNameOf(callee) ?? (callee.type === 'Identifier' ? callee.name : '');
  if (TELLS.test(name)) return true;
  return name === 'call' && isMember(callee) && 'object' in callee && tells(callee.object as Node);
}

/** Whether a list or a set with the text is asked for its items alone, or handed on to other modules. */
function isHeld(chain: Parents, at: number): boolean {
  const list = chain[at]!;
  const user = chain[at - 1];
  if (user === undefined) return false;
  if (isMember(user)) return 'object' in user && user.object === list && ASKS.test(memberNameOf(user) ?? '');
  if (user.type !== 'VariableDeclarator') return isAsked(chain, at);
  if (user.id.type !== 'Identifier') return false;
  const { name } = user.id;
  let isAll = true;
  visit(chain[0]!, [], (node, parents) => {
    const parent = parents.at(-1);
    if (node.type !== 'Identifier' || node.name !== name || parent === undefined || parent === user) return;
    if (/^ExportSpecifier$/.test(parent.type)) return;
    const isName =
      isMember(parent) && 'property' in parent && parent.property === node && !isComputed(parent);
    if (isName || ('key' in parent && parent.key === node)) return;
    isAll &&= isHeld([...parents, node], parents.length);
  });
  return isAll;
}

function isComputed(node: Node): boolean {
  return 'computed' in node && node.computed === true;
}
