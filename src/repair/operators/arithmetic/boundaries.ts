import { atLeast, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { bare, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceSite } from '../proposals.ts';

/** `i` → `i + 1`, `n` → `n - 1`: off-by-one errors in indices, limits, arguments and results. */
export const offByOne: Operator = {
  name: 'off-by-one',
  prior: 0.6,
  *propose(site, source) {
    const factor = placeFactor(site, source);
    if (factor === 0) return;
    const { node } = site;
    const text = atLeast(source.textOf(node), precedenceOf(node), Precedence.additive);
    yield replaceSite(site, `${text} + 1`, Precedence.additive, factor);
    yield replaceSite(site, `${text} - 1`, Precedence.additive, factor);
  },
};

/** `x[0]` ↔ `x[x.length - 1]`, `x[i]` → `x[x.length - 1 - i]`: counts from the other end. */
export const otherEnd: Operator = {
  name: 'other-end',
  prior: 0.4,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'MemberExpression' || !node.computed || !isRead(site)) return;
    const object = textOf(node.object);
    const index = bare(node.property);
    if (index.type === 'NumericLiteral' && index.value === 0) {
      yield replaceNode(node, `${object}[${object}.length - 1]`);
    } else if (index.type === 'BinaryExpression' && textOf(index).startsWith(`${object}.length`)) {
      yield replaceNode(node, `${object}[0]`);
    } else if (index.type === 'Identifier') {
      yield replaceNode(node, `${object}[${object}.length - 1 - ${index.name}]`, 0.7);
    }
  },
};

/** How likely the site is off by one, 0..1; 0 for sites that are no numbers. */
function placeFactor(site: Site, source: SourceView): number {
  const { node, parent, key } = site;
  if (!/^(Identifier|MemberExpression|BinaryExpression|UnaryExpression|CallExpression)$/.test(node.type))
    return 0;
  if (parent === undefined || !isRead(site) || key === 'callee' || key === 'object') return 0;
  const kind = source.kindOf(node);
  if (kind !== 'number' && kind !== 'unknown') return 0;
  if (node.type === 'UnaryExpression' && node.operator !== '-') return 0;
  const base = kind === 'number' ? 1 : 0.4;
  const holder = parent.node;
  switch (holder.type) {
    case 'MemberExpression':
      return base;
    case 'BinaryExpression':
      return /^[<>]=?$/.test(holder.operator)
        ? base * 0.9
        : /^[-*/%]$/.test(holder.operator)
          ? base * 0.6
          : base * 0.3;
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
    case 'VariableDeclarator':
    case 'AssignmentExpression':
      return base * 0.6;
    case 'CallExpression':
    case 'NewExpression':
      return base * 0.7;
    case 'ParenthesizedExpression':
    case 'ArrayExpression':
      return base * 0.4;
    default:
      return 0;
  }
}
