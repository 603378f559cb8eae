import type { Node } from '@babel/types';
import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { bare, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceOperator, replaceSite } from '../proposals.ts';

/** `a - b` → `a / b`: related arithmetic and bitwise operators. */
export const arithmetic: Operator = {
  name: 'arithmetic',
  prior: 0.9,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'BinaryExpression') return;
    const strings = [node.left, node.right].some((side) => source.kindOf(side) === 'string');
    for (const [rank, other] of (RELATIVES[node.operator] ?? '').split(' ').filter(Boolean).entries()) {
      const same = isIdentity(node.right, other) ? 0.1 : 1;
      const factor = (strings && node.operator === '+' ? 0.2 : 1) * same * 0.9 ** rank;
      yield rebuilt(site, source, { left: node.left, right: node.right, operator: other, factor });
    }
  },
};

/** `a - b` → `b - a`. */
export const swapOperands: Operator = {
  name: 'swap-operands',
  prior: 0.7,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || !/^([-/%]|\*\*|\+|<<|>>)$/.test(node.operator)) return;
    if (node.operator === '+' && !couldJoin(node, source)) return;
    const factor = node.operator === '+' ? 0.6 : 1;
    yield rebuilt(site, source, { left: node.right, right: node.left, operator: node.operator, factor });
  },
};

/** `a + b * c` → `(a + b) * c` and back. */
export const regroup: Operator = {
  name: 'regroup',
  prior: 0.4,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'ParenthesizedExpression' && bare(node).type === 'BinaryExpression') {
      yield replaceNode(node, textOf(node.expression));
    }
    if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return;
    const { left, right, operator } = node;
    if (left.type === node.type) {
      const text = `${textOf(left.left)} ${left.operator} (${textOf(left.right)} ${operator} ${textOf(right)})`;
      yield replaceSite(site, text, operatorPrecedence(left.operator));
    }
    if (right.type === node.type) {
      const text = `(${textOf(left)} ${operator} ${textOf(right.left)}) ${right.operator} ${textOf(right.right)}`;
      yield replaceSite(site, text, operatorPrecedence(right.operator));
    }
  },
};

/** `x += y` → `x -= y`, `x = y` → `x += y`. */
export const assignment: Operator = {
  name: 'assignment',
  prior: 0.8,
  *propose({ node }, { text, kindOf, isAssigned }) {
    if (node.type !== 'AssignmentExpression' || /Pattern$/.test(node.left.type)) return;
    for (const [rank, other] of (ASSIGNMENTS[node.operator] ?? '').split(' ').filter(Boolean).entries()) {
      const numeric = kindOf(node.right) === 'string' && !/^[+?]?=$/.test(other) ? 0.2 : 1;
      const known = node.left.type === 'Identifier' && !isAssigned(node.left.name) ? 0.5 : 1;
      yield replaceOperator(node, other, { text, factor: 0.9 ** rank * numeric * known });
    }
  },
};

/** `i++` → `i--`, `++i`, `i += 2`. */
export const update: Operator = {
  name: 'update',
  prior: 0.7,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'UpdateExpression') return;
    const target = textOf(node.argument);
    const other = node.operator === '++' ? '--' : '++';
    yield replaceSite(site, node.prefix ? other + target : target + other, Precedence.postfix);
    const isValue = site.parent?.node.type !== 'ExpressionStatement' && site.key !== 'update';
    const moved = node.prefix ? target + node.operator : node.operator + target;
    if (isValue) yield replaceSite(site, moved, Precedence.unary, 0.8);
    if (!isValue) yield replaceSite(site, `${target} ${node.operator[0]!}= 2`, Precedence.assignment, 0.4);
  },
};

/** `-x` → `x`; a returned, assigned or passed `x` → `-x`. */
export const sign: Operator = {
  name: 'sign',
  prior: 0.4,
  *propose(site, { textOf, kindOf }) {
    const { node, parent } = site;
    if (node.type === 'UnaryExpression' && /^[-+~]$/.test(node.operator)) {
      yield replaceNode(node, textOf(node.argument), 1);
      return;
    }
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression' && node.type !== 'CallExpression')
      return;
    const holder = parent?.node.type;
    const returned =
      holder === 'ReturnStatement' || (holder === 'ArrowFunctionExpression' && site.key === 'body');
    const assigned = holder === 'AssignmentExpression' && site.key === 'right';
    if ((returned || assigned || site.key === 'arguments') && kindOf(node) !== 'string') {
      yield replaceSite(site, `-${textOf(node)}`, Precedence.unary, 0.5);
    }
  },
};

/** `a / b` → `(a - a % b) / b`: integer division without rounding. */
export const integerDivision: Operator = {
  name: 'integer-division',
  prior: 0.1,
  *propose({ node }, { textOf }) {
    if (node.type !== 'BinaryExpression' || node.operator !== '/') return;
    const right = atLeast(textOf(node.right), precedenceOf(node.right), Precedence.multiplicative + 1);
    const left = atLeast(textOf(node.left), precedenceOf(node.left), Precedence.multiplicative);
    yield replaceNode(node, `(${left} - ${left} % ${right}) / ${right}`);
  },
};

interface Rebuilt {
  readonly left: Node;
  readonly right: Node;
  readonly operator: string;
  readonly factor: number;
}

function rebuilt(site: Site, { textOf }: SourceView, { left, right, operator, factor }: Rebuilt) {
  const own = operatorPrecedence(operator);
  const [least, most] = operator === '**' ? [Precedence.postfix, own] : [own, own + 1];
  const a = atLeast(textOf(left), precedenceOf(left), least);
  const b = atLeast(textOf(right), precedenceOf(right), most);
  return replaceSite(site, `${a} ${operator} ${b}`, own, factor);
}

/** Whether the operation has no effect, as `x / 1`; `drop-term` proposes the shorter `x`. */
function isIdentity(right: Node, operator: string): boolean {
  return right.type === 'NumericLiteral' && right.value === 1 && /^([*/%]|\*\*)$/.test(operator);
}

function couldJoin(node: { left: Node; right: Node }, { kindOf }: SourceView): boolean {
  return kindOf(node.left) !== 'number' && kindOf(node.right) !== 'number';
}

/** Related operators, most likely first. */
const RELATIVES: Readonly<Record<string, string>> = {
  '+': '- * / %',
  '-': '+ / % *',
  '*': '/ + ** - %',
  '/': '* % - +',
  '%': '/ * - +',
  '**': '* /',
  '&': '| ^ &&',
  '|': '& ^ ||',
  '^': '& | **',
  '<<': '>> >>>',
  '>>': '<< >>>',
  '>>>': '>> <<',
};

/** Related assignment operators, most likely first. */
const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '=': '+= -= *= ||= ??=',
  '+=': '-= = *= /= %=',
  '-=': '+= = /= *= %=',
  '*=': '/= += = **= -=',
  '/=': '*= -= %= =',
  '%=': '/= -= =',
  '**=': '*= =',
  '&=': '|= =',
  '|=': '&= =',
  '||=': '??= &&= =',
  '??=': '||= =',
  '&&=': '||= =',
};
