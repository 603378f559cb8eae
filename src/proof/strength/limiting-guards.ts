import type { IfStatement, Node } from '@babel/types';
import { bare } from '../../repair/syntax/walk.ts';
import type { IsInnocent } from './innocent-questions.ts';

/** Whether all that a guard does is to throw. */
export function isThrowing({ consequent, alternate }: IfStatement): boolean {
  if (alternate) return false;
  const body: readonly Node[] = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  return body.length > 0 && body.every(({ type }) => type === 'ThrowStatement');
}

/** Whether a question is how large a value is, or whether a text has a form: what it refuses is no way in. */
export function isRangeOrForm(given: Node, isInnocent: IsInnocent): boolean {
  const node = bare(given);
  const inner = (part: Node): boolean => isInnocent(part) || isRangeOrForm(part, isInnocent);
  switch (node.type) {
    case 'UnaryExpression':
      return node.operator === '!' && inner(node.argument);
    case 'LogicalExpression':
      return inner(node.left) && inner(node.right);
    case 'BinaryExpression':
      return /^[<>]=?$/.test(node.operator) && [node.left, node.right].some(isNumber);
    case 'CallExpression': {
      const callee = bare(node.callee);
      return (
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'test' &&
        node.arguments.every((it) => isInnocent(it))
      );
    }
    default:
      return false;
  }
}

function isNumber(given: Node): boolean {
  const node = bare(given);
  return node.type === 'NumericLiteral' || (node.type === 'UnaryExpression' && node.operator === '-');
}
