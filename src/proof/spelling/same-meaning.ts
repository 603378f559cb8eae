import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { bare } from '../../repair/syntax/walk.ts';
import { constantOf } from './constants.ts';
import { atEachSite, shown, type PlainSource } from './edit.ts';

const TURNED: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '===': '===',
  '!==': '!==',
  '==': '==',
  '!=': '!=',
};

/** `10 < n` becomes `n > 10`: a comparison of the same two values is written in the same way everywhere. */
export const withTurnedComparisons = atEachSite((site, source) => {
  const { node } = site;
  if (node.type !== 'BinaryExpression' || TURNED[node.operator] === undefined) return undefined;
  const [left, right] = [shown(source, node.left), shown(source, node.right)];
  const [isLeft, isRight] = [node.left, node.right].map((it) => constantOf(it) !== undefined);
  const isTurned = isLeft === isRight ? left > right : isLeft;
  return isTurned === true ? `${right} ${TURNED[node.operator]!} ${left}` : undefined;
});

const FOUND = new Set(['>= 0', '> -1', '!== -1', '!= -1']);
const NOT_FOUND = new Set(['< 0', '<= -1', '=== -1', '== -1']);

/** `[a].indexOf(b) >= 0` becomes `a === b`, by which `indexOf` compares. */
export const withSearchedItems = atEachSite(({ node }, source) => {
  if (node.type !== 'BinaryExpression') return undefined;
  const search = bare(node.left);
  if (search.type !== 'CallExpression') return undefined;
  const { object, name } = memberOf(search.callee) ?? {};
  const list = object && bare(object);
  const [sought, ...others] = search.arguments;
  if (!/^(?:last)?[iI]ndexOf$/.test(name ?? '') || list?.type !== 'ArrayExpression') return undefined;
  const [item, ...more] = list.elements;
  if (!item || !sought || others.length + more.length > 0) return undefined;
  const asked = `${node.operator} ${constantOf(node.right)}`;
  if (!FOUND.has(asked) && !NOT_FOUND.has(asked)) return undefined;
  return `${shown(source, item)} ${FOUND.has(asked) ? '===' : '!=='} ${shown(source, sought)}`;
});

/** `a || !a` becomes `true`, and `a && !a` `false`. */
export const withoutTautologies = atEachSite((site, source) => {
  const node = bare(site.node);
  if (node.type !== 'LogicalExpression' || node.operator === '??') return undefined;
  const isOpposite = isNot(node.left, node.right, source) || isNot(node.right, node.left, source);
  return isOpposite ? String(node.operator === '||') : undefined;
});

const OPPOSITE: Readonly<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };

function isNot(expression: Node, other: Node, source: PlainSource): boolean {
  const [node, plain] = [bare(expression), bare(other)];
  if (node.type === 'UnaryExpression' && node.operator === '!')
    return shown(source, bare(node.argument)) === shown(source, plain);
  if (node.type !== 'BinaryExpression' || plain.type !== 'BinaryExpression') return false;
  if (OPPOSITE[node.operator] !== plain.operator) return false;
  const sides = ({ left, right }: { left: Node; right: Node }): string =>
    [shown(source, left), shown(source, right)].sort().join(' ');
  return sides(node) === sides(plain);
}

/** `9007199254740992 + 1` and `Number('9007199254740993')` become the number that a reader expects, which is none of JavaScript's. */
export const withExactNumbers = atEachSite(({ node, parent }) => {
  if (parent !== undefined && exactOf(parent.node) !== undefined) return undefined;
  if (node.type === 'NumericLiteral') return undefined;
  const exact = exactOf(node);
  return exact === undefined || BigInt(Number(exact)) === exact ? undefined : String(exact);
});

/** The exact value of whole numbers that are added or multiplied, or read from a text; undefined for other expressions. */
function exactOf(expression: Node): bigint | undefined {
  const node = bare(expression);
  if (node.type === 'NumericLiteral') return wholeNumber(String(node.extra?.['raw'] ?? node.value));
  if (node.type === 'UnaryExpression' && node.operator === '+' && node.argument.type === 'StringLiteral')
    return wholeNumber(node.argument.value);
  if (node.type === 'CallExpression') {
    const name = node.callee.type === 'Identifier' ? node.callee.name : memberOf(node.callee)?.name;
    const [first] = node.arguments;
    const isRead = /^(Number|parseInt|parseFloat)$/.test(name ?? '') && first?.type === 'StringLiteral';
    return isRead ? wholeNumber(first.value) : undefined;
  }
  if (node.type !== 'BinaryExpression') return undefined;
  const [left, right] = [exactOf(node.left), exactOf(node.right)];
  if (left === undefined || right === undefined) return undefined;
  if (node.operator === '+') return left + right;
  if (node.operator === '-') return left - right;
  return node.operator === '*' ? left * right : undefined;
}

function wholeNumber(text: string): bigint | undefined {
  return /^\d[\d_]*$/.test(text) ? BigInt(text.replaceAll('_', '')) : undefined;
}

const TAKES_CALLBACK =
  /^(map|filter|some|every|find|findIndex|findLast|findLastIndex|reduce|reduceRight|sort|toSorted|flatMap|from)$/;

/** `list.map(twice)` becomes `list.map((n) => …)`, where the file says what `twice` is. */
export const withCallbacksInPlace = atEachSite(({ node, key, parent }, source) => {
  if (node.type !== 'Identifier' || parent?.node.type !== 'CallExpression' || key === 'callee')
    return undefined;
  if (!TAKES_CALLBACK.test(memberOf(parent.node.callee)?.name ?? '')) return undefined;
  if (source.declared.get(node.name) !== 1) return undefined;
  const named = source.sites.find(
    (it) =>
      (it.node.type === 'VariableDeclarator' || it.node.type === 'FunctionDeclaration') &&
      it.node.id?.type === 'Identifier' &&
      it.node.id.name === node.name,
  )?.node;
  const fn = named?.type === 'VariableDeclarator' ? named.init : named;
  const isFunction = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(
    fn?.type ?? '',
  );
  return fn && isFunction ? shown(source, fn) : undefined;
});

/** `return void f()` becomes `return;`. */
export const withoutVoidResults = atEachSite(({ node, parent }) => {
  if (parent?.node.type !== 'ReturnStatement') return undefined;
  const value = bare(node);
  return value.type === 'UnaryExpression' && value.operator === 'void' ? '' : undefined;
});
