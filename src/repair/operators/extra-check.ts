import type { Node } from '@babel/types';
import { atLeast, operatorPrecedence, precedenceOf } from '../syntax/precedence.ts';
import { bare, type Site } from '../syntax/walk.ts';
import { checksAt } from './checks.ts';
import { type Operator, replaceNode, type SourceView } from './operator.ts';

/**
 * `if (x.endsWith(e))` → `if (e && x.endsWith(e))`, `if (a)` → `if (a && !Array.isArray(b))`: a condition, or a
 * truth value that is returned, asks one thing more.
 */
export const extraCheck: Operator = {
  name: 'extra-check',
  prior: 0.32,
  *propose(site, source) {
    const place = placeFactor(site, source);
    if (place === 0) return;
    const { node } = site;
    const own = source.textOf(node);
    const asked = new Set(termsOf(node).map(source.textOf));
    for (const [check, factor] of checksAt(site, node, source)) {
      if (asked.has(check)) continue;
      const after = check.includes('(') && !own.includes(check);
      yield replaceNode(node, joined([check, own, '&&'], { node, after }), factor * place);
      yield replaceNode(node, joined([check, own, '||'], { node, after }), factor * place * 0.6);
    }
  },
};

/** What calls something stands after the condition that is there, which may be what makes the call safe. */
function joined(
  [check, own, operator]: readonly [check: string, own: string, operator: string],
  { node, after }: { node: Node; after: boolean },
): string {
  const condition = atLeast(own, precedenceOf(node), operatorPrecedence(operator));
  return after ? `${condition} ${operator} ${check}` : `${check} ${operator} ${condition}`;
}

/** How natural a condition more is at the place, 0 for none. */
function placeFactor({ node, key, parent }: Site, source: SourceView): number {
  const holder = parent?.node.type ?? '';
  if (key === 'test') return /^(If|While|For)Statement$|^ConditionalExpression$/.test(holder) ? 1 : 0;
  const inner = bare(node);
  const isFact = source.kindOf(inner) === 'boolean' || termsOf(inner).length > 1 || isNamedLikeAFact(inner);
  if (!isFact || /^BooleanLiteral|Function/.test(inner.type)) return 0;
  const isResult = holder === 'ReturnStatement' || (holder === 'ArrowFunctionExpression' && key === 'body');
  if (isResult) return 0.6;
  const isValue =
    (holder === 'VariableDeclarator' && key === 'init') ||
    (holder === 'AssignmentExpression' && key === 'right') ||
    (holder === 'ObjectProperty' && key === 'value' && parent?.parent?.node.type === 'ObjectExpression');
  return isValue ? 0.4 : 0;
}

/** Properties such as `$u` or `isValid` that are facts more often than anything else. */
function isNamedLikeAFact(node: Node): boolean {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  return /^[$_]?(is|has|can|utc|u)([A-Z]|$)/.test(node.property.name);
}

/** The conditions that a condition is made of. */
function termsOf(expression: Node): Node[] {
  const node = bare(expression);
  if (node.type !== 'LogicalExpression' || node.operator === '??') return [node];
  return [...termsOf(node.left), ...termsOf(node.right)];
}
