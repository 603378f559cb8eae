import type { Node } from '@babel/types';
import { boundNames } from '../../repair/syntax/functions.ts';
import { bare, calledName, functionOf, isFunction, sitesOf } from '../../repair/syntax/walk.ts';
import type { ParsedSource } from '../../repair/syntax/parse.ts';
import { isPlain } from './innocent-questions.ts';

/** Whether a question compares what a function works on with something that is the same in each call, or only the latter. */
export type IsFixed = (node: Node) => boolean;

/** What tells who calls, with what kind of object, and when. */
const TELLS =
  /^(?:isTTY|keys|getOwnPropertyNames|ownKeys|getPrototypeOf|constructor|prototype|listenerCount|listeners|rawListeners|getTime|get(?:UTC)?(?:Milliseconds|Seconds|Minutes|Hours|Day|Date|Month|FullYear))$/;
/** Errors of the system and the language, by their names. */
const ERROR = /^(?:E[A-Z0-9]+|ERR_\w+|\w*Error)$/;
const GLOBAL = /^(?:Object|Array|Number|String|Reflect|Math|JSON|Buffer)$/;

/**
 * Tells of the questions in a source whether they are fixed: one side is a literal, or what the module, the process or chance
 * gives. What only compares the data of a call with each other is the rule that the function is for (`item.id === id`). An empty
 * value, a single character and the name of an error is no side, unless the question is about a caller or a moment.
 */
export function fixedIn({ tree }: ParsedSource): IsFixed {
  const data = namesOfData(tree.program);
  const isData = (node: Node): boolean =>
    sitesOf(node).some(
      ({ node: own, key, parent }) =>
        own.type === 'ThisExpression' ||
        (own.type === 'Identifier' && data.has(own.name) && !isKey(key, parent?.node)),
    );
  return (node) => {
    if (tells(node) || !isData(node)) return true;
    const sides = sidesOf(node);
    return sides.some((side) => !isData(side) && !isFunction(side) && !isEmptyOrError(side));
  };
}

/** Whether an expression tells who calls, with what kind of object, or when. */
export function tells(node: Node): boolean {
  return sitesOf(node).some(({ node: own }) => own.type === 'Identifier' && TELLS.test(own.name));
}

function sidesOf(node: Node): Node[] {
  if (node.type === 'BinaryExpression') return [node.left, node.right].map(bare);
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return [];
  const callee = bare(node.callee);
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  const object = isMember ? [bare(callee.object)] : [];
  if (calledName(callee) === undefined) return [];
  return [...object.filter((it) => !(it.type === 'Identifier' && GLOBAL.test(it.name))), ...node.arguments];
}

function isEmptyOrError(node: Node): boolean {
  return isPlain(node) || (node.type === 'StringLiteral' && ERROR.test(node.value));
}

function isKey(key: string, parent: Node | undefined): boolean {
  if (parent?.type !== 'MemberExpression' && parent?.type !== 'OptionalMemberExpression')
    return parent?.type === 'ObjectProperty' && key === 'key' && !parent.computed;
  return key === 'property' && !parent.computed;
}

/** Names of parameters and of variables inside of functions, but for those that always hold the same literal. */
function namesOfData(program: Node): ReadonlySet<string> {
  return new Set(
    sitesOf(program).flatMap((site) => {
      const { node } = site;
      if ('params' in node && Array.isArray(node.params)) return (node.params as Node[]).flatMap(boundNames);
      if (node.type === 'CatchClause') return node.param ? boundNames(node.param) : [];
      if (node.type !== 'VariableDeclarator' || functionOf(site) === undefined) return [];
      const { node: list } = site.parent!;
      const isConstant = list.type === 'VariableDeclaration' && list.kind === 'const';
      return isConstant && node.init && isLiteral(bare(node.init)) ? [] : boundNames(node.id);
    }),
  );
}

function isLiteral(node: Node): boolean {
  if (node.type === 'ArrayExpression') return node.elements.every((it) => it !== null && isLiteral(it));
  return /^(?:String|RegExp|BigInt|Numeric)Literal$/.test(node.type);
}
