import type { Node } from '@babel/types';
import type { Site } from './walk.ts';

/** Operator precedence as in the ECMAScript grammar; higher binds tighter. */
export const Precedence = {
  sequence: 1,
  assignment: 2,
  conditional: 3,
  or: 4,
  and: 5,
  equality: 9,
  relational: 10,
  additive: 12,
  multiplicative: 13,
  power: 14,
  unary: 15,
  postfix: 16,
  call: 18,
  primary: 20,
} as const;

/** Precedence of a binary or logical operator; that of a sequence for an unknown one. */
export function operatorPrecedence(operator: string): number {
  return OPERATORS[operator] ?? Precedence.sequence;
}

/** Precedence of an expression as it stands. */
export function precedenceOf(node: Node): number {
  switch (node.type) {
    case 'SequenceExpression':
      return Precedence.sequence;
    case 'AssignmentExpression':
    case 'ArrowFunctionExpression':
    case 'YieldExpression':
      return Precedence.assignment;
    case 'ConditionalExpression':
      return Precedence.conditional;
    case 'LogicalExpression':
    case 'BinaryExpression':
      return operatorPrecedence(node.operator);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return Precedence.relational;
    case 'UnaryExpression':
    case 'AwaitExpression':
    case 'TSTypeAssertion':
      return Precedence.unary;
    case 'UpdateExpression':
      return Precedence.postfix;
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'ObjectExpression':
      return Precedence.call;
    default:
      return Precedence.primary;
  }
}

/** `text`, an expression of the given precedence, in parentheses if it needs them at the site. */
export function fit(site: Site, text: string, precedence: number): string {
  const opensBlock = site.parent?.node.type === 'ArrowFunctionExpression' && text.startsWith('{');
  return precedence < slotPrecedence(site) || opensBlock ? `(${text})` : text;
}

/** `text`, an expression of the given precedence, in parentheses if that is lower than `least`. */
export function atLeast(text: string, precedence: number, least: number): string {
  return precedence < least ? `(${text})` : text;
}

/** The lowest precedence of an expression that needs no parentheses at the site. */
function slotPrecedence({ parent, key }: Site): number {
  const node = parent?.node;
  switch (node?.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operandPrecedence(node.operator, key);
    case 'ConditionalExpression':
      return key === 'test' ? Precedence.conditional + 1 : Precedence.assignment;
    case 'UnaryExpression':
    case 'AwaitExpression':
      return Precedence.unary;
    case 'UpdateExpression':
    case 'TSNonNullExpression':
    case 'TaggedTemplateExpression':
      return Precedence.call;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'object' ? Precedence.call : Precedence.sequence;
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return key === 'callee' ? Precedence.call : Precedence.assignment;
    case 'ClassDeclaration':
    case 'ClassExpression':
      return Precedence.call;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return Precedence.relational;
    case 'TemplateLiteral':
    case 'ParenthesizedExpression':
    case 'ExpressionStatement':
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'SwitchStatement':
      return Precedence.sequence;
    default:
      return Precedence.assignment;
  }
}

function operandPrecedence(operator: string, key: string): number {
  const own = operatorPrecedence(operator);
  if (operator === '**') return key === 'left' ? Precedence.postfix : own;
  return key === 'left' ? own : own + 1;
}

const OPERATORS: Readonly<Record<string, number>> = {
  '??': Precedence.or,
  '||': Precedence.or,
  '&&': Precedence.and,
  '|': 6,
  '^': 7,
  '&': 8,
  '==': Precedence.equality,
  '!=': Precedence.equality,
  '===': Precedence.equality,
  '!==': Precedence.equality,
  '<': Precedence.relational,
  '<=': Precedence.relational,
  '>': Precedence.relational,
  '>=': Precedence.relational,
  in: Precedence.relational,
  instanceof: Precedence.relational,
  '<<': 11,
  '>>': 11,
  '>>>': 11,
  '+': Precedence.additive,
  '-': Precedence.additive,
  '*': Precedence.multiplicative,
  '/': Precedence.multiplicative,
  '%': Precedence.multiplicative,
  '**': Precedence.power,
};
