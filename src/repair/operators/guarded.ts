import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../syntax/precedence.ts';
import { isCondition } from './logical.ts';
import { isRead, type Operator, replaceSite, type SourceView } from './operator.ts';
import { bare, type Site } from '../syntax/walk.ts';

/** `x && f(x)` → `!x || f(x)`, `x || y` → `!x && y`: which way a missing value decides. */
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

/** `10 - x % 10` → `(10 - x % 10) % 10`: a remainder that wraps round once more. */
export const wrapRound: Operator = {
  name: 'wrap-round',
  prior: 0.3,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || (node.type !== 'BinaryExpression' && node.type !== 'ParenthesizedExpression'))
      return;
    const inner = bare(node);
    if (inner.type !== 'BinaryExpression' || !/^[-+*/%]$/.test(inner.operator)) return;
    const text = node.type === 'ParenthesizedExpression' ? source.textOf(node) : `(${source.textOf(node)})`;
    for (const number of moduliNear(site, source))
      yield replaceSite(site, `${text} % ${number}`, Precedence.multiplicative);
  },
};

/** Numbers that the function divides by for the remainder, and one below them. */
function moduliNear(site: Site, source: SourceView): string[] {
  const moduli = source
    .withinFunction(site)
    .flatMap(({ node }) =>
      node.type === 'BinaryExpression' && node.operator === '%' && node.right.type === 'NumericLiteral'
        ? [node.right.value]
        : [],
    );
  return [...new Set(moduli.flatMap((value) => [value, value - 1]))]
    .filter((value) => value > 1)
    .slice(0, 4)
    .map(String);
}
