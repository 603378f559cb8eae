import type { Node } from '@babel/types';
import { endOf, startOf } from '../../../repair/syntax/parse.ts';
import { atLeast, Precedence, precedenceOf } from '../../../repair/syntax/precedence.ts';
import { bare } from '../../../repair/syntax/walk.ts';
import { replaceNode, replacePart, replaceSite, textOf, type Mutator } from './mutator.ts';

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
};

/** `<` → `<=`, `===` → `!==`. */
export const comparison: Mutator = function* ({ node }, text) {
  if (node.type !== 'BinaryExpression') return;
  for (const other of COMPARISONS[node.operator] ?? []) {
    yield replacePart(node, operatorRange(node, text), other);
  }
};

/** `a && b` → `a || b`; `a ?? b` → `a` and `b`. */
export const logical: Mutator = function* (site, text) {
  const { node } = site;
  if (node.type !== 'LogicalExpression') return;
  if (node.operator !== '??') {
    const other = node.operator === '&&' ? '||' : '&&';
    const [left, right] = [node.left, node.right].map((side) =>
      atLeast(textOf(side, text), precedenceOf(side), Precedence.and + 1),
    );
    yield replaceSite(site, `${left} ${other} ${right}`, other === '&&' ? Precedence.and : Precedence.or);
  }
  for (const side of [node.left, node.right]) yield replaceSite(site, textOf(side, text), precedenceOf(side));
};

/** `if (a)` → `if (false)` and `if (true)`; `a ? b : c` likewise; `while (a)` → `while (false)`. */
export const condition: Mutator = function* ({ node }) {
  if (
    node.type === 'WhileStatement' ||
    node.type === 'IfStatement' ||
    node.type === 'ConditionalExpression'
  ) {
    if (/Literal$/.test(bare(node.test).type)) return;
    yield replaceNode(node.test, 'false');
    if (node.type !== 'WhileStatement') yield replaceNode(node.test, 'true');
  }
};

/** `!a` → `a`. */
export const negation: Mutator = function* (site, text) {
  const { node } = site;
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    yield replaceSite(site, textOf(node.argument, text), precedenceOf(node.argument));
  }
};

/** `a?.b` → `a.b`. */
export const optionalChain: Mutator = function* ({ node }, text) {
  if (node.type !== 'OptionalMemberExpression' || !node.optional || node.computed) return;
  const start = text.indexOf('?.', endOf(node.object));
  if (start >= 0 && start < startOf(node.property)) yield replacePart(node, { start, end: start + 2 }, '.');
};

/** Range of the operator between two operands. */
function operatorRange(
  node: { readonly left: Node; readonly operator: string },
  text: string,
): { start: number; end: number } {
  const start = text.indexOf(node.operator, endOf(node.left));
  return { start, end: start + node.operator.length };
}
