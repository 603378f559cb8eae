import type { Node } from '@babel/types';
import { atLeast, operatorPrecedence, precedenceOf } from '../../syntax/precedence.ts';
import { bare, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode } from '../proposals.ts';
import { conditionsAt } from './condition-texts.ts';

/** `if (x.endsWith(e))` → `if (e && x.endsWith(e))`: adds a term to a condition or to another boolean value. */
export const extraCheck: Operator = {
  name: 'extra-check',
  prior: 0.32,
  *propose(site, source) {
    const place = placeFactor(site, source);
    if (place === 0) return;
    const { node } = site;
    const own = source.textOf(node);
    const present = new Set(termsOf(node).map(source.textOf));
    for (const [added, factor] of conditionsAt(site, node, source)) {
      if (present.has(added)) continue;
      const after = added.includes('(') && !own.includes(added);
      yield replaceNode(node, joined([added, own, '&&'], { node, after }), factor * place);
      yield replaceNode(node, joined([added, own, '||'], { node, after }), factor * place * 0.6);
    }
  },
};

/** A term with a call goes last (`after`), because the existing condition may be what makes the call safe. */
function joined(
  [added, own, operator]: readonly [added: string, own: string, operator: string],
  { node, after }: { node: Node; after: boolean },
): string {
  const condition = atLeast(own, precedenceOf(node), operatorPrecedence(operator));
  return after ? `${condition} ${operator} ${added}` : `${added} ${operator} ${condition}`;
}

/** How natural another term is at the site, 0..1; 0 for sites that are no boolean values. */
function placeFactor({ node, key, parent }: Site, source: SourceView): number {
  const holder = parent?.node.type ?? '';
  if (key === 'test') return /^(If|While|For)Statement$|^ConditionalExpression$/.test(holder) ? 1 : 0;
  const inner = bare(node);
  const isBoolean = source.kindOf(inner) === 'boolean' || termsOf(inner).length > 1 || hasBooleanName(inner);
  if (!isBoolean || /^BooleanLiteral|Function/.test(inner.type)) return 0;
  const isResult = holder === 'ReturnStatement' || (holder === 'ArrowFunctionExpression' && key === 'body');
  if (isResult) return 0.6;
  const isValue =
    (holder === 'VariableDeclarator' && key === 'init') ||
    (holder === 'AssignmentExpression' && key === 'right') ||
    (holder === 'ObjectProperty' && key === 'value' && parent?.parent?.node.type === 'ObjectExpression');
  return isValue ? 0.4 : 0;
}

/** Properties with names such as `isValid`, which usually hold a boolean. */
function hasBooleanName(node: Node): boolean {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  return /^[$_]?(is|has|can|utc|u)([A-Z]|$)/.test(node.property.name);
}

/** Operands of nested `&&` and `||`. */
function termsOf(expression: Node): Node[] {
  const node = bare(expression);
  if (node.type !== 'LogicalExpression' || node.operator === '??') return [node];
  return [...termsOf(node.left), ...termsOf(node.right)];
}
