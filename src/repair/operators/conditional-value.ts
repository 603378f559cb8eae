import { atLeast, Precedence, precedenceOf } from '../syntax/precedence.ts';
import type { Site } from '../syntax/walk.ts';
import { checksAt } from './checks.ts';
import { isRead, type Operator, replaceSite, type SourceView } from './operator.ts';

const CHECK_LIMIT = 14;

/** `f(x)` → `x ? f(x) : y`: a value that only holds under a condition, and what stands for it otherwise. */
export const conditionalValue: Operator = {
  name: 'conditional-value',
  prior: 0.14,
  *propose(site, source) {
    const { node } = site;
    if (!isPlace(site) || !/^(Identifier|.*(Call|Member|Binary)Expression|TemplateLiteral)$/.test(node.type))
      return;
    const text = atLeast(source.textOf(node), precedenceOf(node), Precedence.or);
    for (const [check, factor] of checksAt(site, node, source).slice(0, CHECK_LIMIT)) {
      if (check === text) continue;
      for (const [other, worth] of othersFor(site, source)) {
        if (other !== text)
          yield replaceSite(site, `${check} ? ${text} : ${other}`, Precedence.conditional, factor * worth);
      }
    }
  },
};

/** Statements of which one more condition decides whether they run at all. */
function isPlace(site: Site): boolean {
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

function othersFor({ node }: Site, source: SourceView): [string, number][] {
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
