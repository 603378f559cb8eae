import type { Node } from '@babel/types';
import { isMember, memberNameOf, nameOf, rootOf } from './member-names.ts';

/** Whether a key is put together: a sum with a text in it, a template, or what a call gives. */
export function isMadeText(key: Node): boolean {
  if (key.type === 'TemplateLiteral') return key.expressions.length > 0;
  if (key.type === 'BinaryExpression') return key.operator === '+';
  return /^(?:Optional)?CallExpression$/.test(key.type);
}

/** Names of the language that make texts out of what they are given. */
const MAKERS = new Set(['String', 'Array', 'Number', 'Buffer', 'Object', 'JSON', 'atob', 'btoa', 'unescape']);
const DECODERS = /^(?:decodeURI(?:Component)?|escape)$/;

/** How a variable holds a text: `made`, if it is put together of others; `list`, among others in a list or a table. */
export type TextKind = 'written' | 'made' | 'list';
/** Names of variables that hold a text. */
export type Texts = ReadonlyMap<string, TextKind>;

/**
 * Whether a text is put together of nothing but literals, such as `['con', 'structor'].join('')`: whoever means a name writes
 * it.
 */
export function isSpelled(node: Node, texts: Texts): boolean {
  if (node.type === 'Identifier') return texts.get(node.name) === 'made';
  if (isMember(node) && 'object' in node && isListed(node.object as Node, texts)) return false;
  const isPut = isMadeText(node) || isMember(node);
  return isPut && partsOf(node).every((part) => isOfLiterals(part, texts));
}

/** How a variable with this value holds a text; undefined: the value is none. */
export function textIn(value: Node, texts: Texts): TextKind | undefined {
  const written = nameOf(value, true);
  if (written !== undefined) return written === 'constructor' ? 'made' : 'written';
  if (isSpelled(value, texts)) return 'made';
  return isTable(value) ? 'list' : undefined;
}

/** A variable with a list or a table of texts. */
function isListed(node: Node, texts: Texts): boolean {
  return node.type === 'Identifier' && texts.get(node.name) === 'list';
}

/** A list or a table of nothing but texts. */
function isTable(node: Node): boolean {
  if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return false;
  const parts = partsOf(node).flatMap((it) => (it.type === 'ObjectProperty' ? partsOf(it) : [it]));
  return parts.length > 0 && parts.every((it) => nameOf(it, true) !== undefined);
}

function isOfLiterals(node: Node, texts: Texts): boolean {
  if (node.type === 'Identifier') return texts.has(node.name) || isMaker(node.name);
  if (/^(?:String|Numeric|BigInt|RegExp|Boolean|Null)Literal$|^TemplateElement$/.test(node.type)) return true;
  const parts = partsOf(node);
  return parts.length > 0 && parts.every((part) => isOfLiterals(part, texts));
}

function isMaker(name: string): boolean {
  return MAKERS.has(name) || DECODERS.test(name);
}

/** What an expression is put together of; none for an expression of another kind. */
function partsOf(node: Node): Node[] {
  switch (node.type) {
    case 'TemplateLiteral':
      return [...node.quasis, ...node.expressions];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return [node.callee, ...node.arguments];
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node.computed ? [node.object, node.property] : [node.object];
    case 'ArrayExpression':
      return node.elements.filter((it) => it !== null);
    case 'ObjectExpression':
      return node.properties;
    case 'ObjectProperty':
      return node.computed ? [node.key, node.value] : [node.value];
    case 'SpreadElement':
      return [node.argument];
    case 'ParenthesizedExpression':
      return [node.expression];
    default:
      return [];
  }
}

/** Whether a call takes a member by its name: `Reflect.get(f, key)`, `Object.getOwnPropertyDescriptor(f, key)`. */
export function takesByName(callee: Node): boolean {
  const name = memberNameOf(callee);
  return (
    (rootOf(callee) === 'Reflect' && name === 'get') ||
    name === 'getOwnPropertyDescriptor' ||
    name === '__lookupGetter__'
  );
}
