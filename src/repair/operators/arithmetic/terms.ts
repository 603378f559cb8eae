import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { bare } from '../../syntax/walk.ts';
import { kindOfBinding } from '../binding-kinds.ts';
import { chainOf } from '../conditions/logical.ts';
import type { Operator } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

/** `a + b` → `a`, `a - 1` → `a`, `2 * x` → `x`. */
export const dropTerm: Operator = {
  name: 'drop-term',
  prior: 0.85,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || !/^([-+*/%&|^]|\*\*|<<|>>>?)$/.test(node.operator)) return;
    yield replaceSite(site, textOf(node.left), precedenceOf(node.left), 1);
    yield replaceSite(site, textOf(node.right), precedenceOf(node.right), 0.7);
    const chain = chainOf(node, node.operator);
    const first = bare(chain[0]!);
    const start = first.type === 'BinaryExpression' ? first.left : first;
    if (start !== node.left) yield replaceSite(site, textOf(start), precedenceOf(start), 0.5);
  },
};

/** `a + b` → `a + b + c`, with a name in scope. */
export const extraTerm: Operator = {
  name: 'extra-term',
  prior: 0.2,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || site.key === 'test' || site.key === 'callee') return;
    const isSum = node.type === 'BinaryExpression' && /^[-+*/]$/.test(node.operator);
    const isPlain =
      node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'CallExpression';
    if (!isSum && !(isPlain && isWhole(site.parent?.node.type))) return;
    const kind = source.kindOf(node);
    if (kind === 'array' || kind === 'function' || kind === 'object' || kind === 'boolean') return;
    const names = source
      .visibleAt(site)
      .filter((binding) => !/function|class/.test(binding.kind) && binding.owner >= 0)
      .filter((binding) => ['number', 'string', 'unknown'].includes(kindOfBinding(binding, source)))
      .slice(0, 6);
    for (const { name } of names) {
      for (const operator of kind === 'string' ? ['+'] : ['+', '-', '*', '/', '%']) {
        const own = operatorPrecedence(operator);
        const text = `${atLeast(source.textOf(node), precedenceOf(node), own)} ${operator} ${name}`;
        yield replaceSite(site, text, own, operator === '+' || operator === '-' ? 1 : 0.6);
      }
    }
  },
};

/** `x` → `x * 2`, `x / 100`, `x * x`, for a number that is a whole value. */
export const scale: Operator = {
  name: 'scale',
  prior: 0.2,
  *propose(site, { textOf, kindOf }) {
    const { node, key, parent } = site;
    if (!isRead(site) || !isWhole(parent?.node.type) || key === 'callee') return;
    if (kindOf(node) !== 'number' && kindOf(node) !== 'unknown') return;
    if (!/^(Identifier|MemberExpression|CallExpression|BinaryExpression)$/.test(node.type)) return;
    const text = atLeast(textOf(node), precedenceOf(node), Precedence.multiplicative);
    yield replaceSite(site, `${text} * 2`, Precedence.multiplicative);
    yield replaceSite(site, `${text} / 2`, Precedence.multiplicative);
    yield replaceSite(site, `${text} * 100`, Precedence.multiplicative, 0.5);
    yield replaceSite(site, `${text} / 100`, Precedence.multiplicative, 0.5);
    if (node.type === 'Identifier')
      yield replaceSite(site, `${text} * ${text}`, Precedence.multiplicative, 0.5);
  },
};

/** Whether an expression with such a parent is a whole value rather than an operand. */
function isWhole(parent: string | undefined): boolean {
  return /^(ReturnStatement|AssignmentExpression|VariableDeclarator|ArrowFunctionExpression|ObjectProperty)$/.test(
    parent ?? '',
  );
}
