import { atLeast, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceSite } from '../proposals.ts';
import { conditionsAt } from './condition-texts.ts';

const MAX_CONDITIONS = 14;

/** `f(x)` → `x ? f(x) : y`: makes a value conditional, with an alternative. */
export const conditionalValue: Operator = {
  name: 'conditional-value',
  prior: 0.14,
  *propose(site, source) {
    const { node } = site;
    if (
      !isWholeValue(site) ||
      !/^(Identifier|.*(Call|Member|Binary)Expression|TemplateLiteral)$/.test(node.type)
    )
      return;
    const text = atLeast(source.textOf(node), precedenceOf(node), Precedence.or);
    for (const [condition, factor] of conditionsAt(site, node, source).slice(0, MAX_CONDITIONS)) {
      if (condition === text) continue;
      for (const [other, worth] of alternativesFor(site, source)) {
        if (other !== text)
          yield replaceSite(
            site,
            `${condition} ? ${text} : ${other}`,
            Precedence.conditional,
            factor * worth,
          );
      }
    }
  },
};

/** Whether the site is a returned, assigned or initial value. */
function isWholeValue(site: Site): boolean {
  const { parent, key } = site;
  if (!isRead(site)) return false;
  const holder = parent?.node.type;
  return (
    holder === 'ReturnStatement' ||
    (holder === 'VariableDeclarator' && key === 'init') ||
    (holder === 'AssignmentExpression' && key === 'right') ||
    (holder === 'ArrowFunctionExpression' && key === 'body')
  );
}

/** Values for the other branch: usual empty values, expected values and parts of the expression. */
function alternativesFor({ node }: Site, source: SourceView): [string, number][] {
  const kind = source.kindOf(node);
  const expected = source.literals.expected.slice(0, 2).map((value): [string, number] => [value, 1]);
  const parts = source
    .within(node)
    .slice(1)
    .flatMap(({ node: part, key }): [string, number][] =>
      part.type === 'Identifier' && (key === 'arguments' || key === 'object' || key === 'left')
        ? [[part.name, 0.9]]
        : [],
    );
  const usual: readonly [string, number][] =
    kind === 'number'
      ? [['0', 0.6]]
      : kind === 'array'
        ? [['[]', 0.7]]
        : [
            ["''", 0.6],
            ['undefined', 0.6],
          ];
  return [...new Map([...usual, ...expected, ...parts.slice(0, 2)])];
}
