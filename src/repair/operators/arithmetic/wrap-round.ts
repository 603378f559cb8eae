import { Precedence } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { bare, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

/** `10 - x % 10` → `(10 - x % 10) % 10`: applies a remainder of the function once more. */
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

/** Divisors of remainders in the function, and one less than each. */
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
