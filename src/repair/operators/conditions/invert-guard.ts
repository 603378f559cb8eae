import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { bare } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { replaceSite } from '../proposals.ts';
import { isCondition } from './logical.ts';

/** `x && f(x)` → `!x || f(x)`, `x || y` → `!x && y`: inverts the result for a missing value. */
export const invertGuard: Operator = {
  name: 'invert-guard',
  prior: 0.45,
  *propose(site, { textOf, kindOf }) {
    const { node } = site;
    if (node.type !== 'LogicalExpression' || node.operator === '??') return;
    if (!isCondition(site) && kindOf(node) !== 'boolean') return;
    const other = node.operator === '&&' ? '||' : '&&';
    const left = bare(node.left);
    const [least, own] = [Precedence.unary, operatorPrecedence(other)];
    const isNegated = left.type === 'UnaryExpression' && left.operator === '!';
    const inverted = isNegated
      ? textOf(left.argument)
      : `!${atLeast(textOf(left), precedenceOf(left), least)}`;
    const right = atLeast(textOf(node.right), precedenceOf(node.right), own + 1);
    yield replaceSite(site, `${inverted} ${other} ${right}`, own);
    if (left.type !== 'Identifier' && left.type !== 'MemberExpression') return;
    const equals = node.operator === '&&' ? '===' : '!==';
    for (const nothing of ['null', 'undefined']) {
      yield replaceSite(site, `${textOf(left)} ${equals} ${nothing} ${other} ${right}`, own, 0.7);
    }
  },
};
