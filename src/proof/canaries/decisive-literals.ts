import type { Node } from '@babel/types';
import { walk } from '../acceptance/syntax.ts';

/** Another value for a literal of a program. */
export interface OtherLiteral {
  /** Offsets in the code. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Other values for the literals of comparisons that end the process with a failure if they are not equal. */
export function decisiveLiterals(root: Node): OtherLiteral[] {
  const literals: OtherLiteral[] = [];
  walk(root, (node) => {
    if (node.type === 'IfStatement' && fails(node.consequent)) literals.push(...unequal(node.test));
    if (node.type === 'ConditionalExpression' && isZero(node.consequent)) literals.push(...equal(node.test));
  });
  return literals;
}

/** Whether it throws, exits with a failure or sets a failing exit code. */
function fails(node: Node): boolean {
  let found = false;
  walk(node, (inner) => {
    if (inner.type === 'ThrowStatement') found = true;
    if (inner.type === 'AssignmentExpression' && nameOf(inner.left) === 'exitCode')
      found ||= !isZero(inner.right);
    if (inner.type !== 'CallExpression' || nameOf(inner.callee) !== 'exit') return;
    const [code] = inner.arguments;
    found ||= code !== undefined && !isZero(code);
  });
  return found;
}

/** `exit` of `process.exit`. */
function nameOf(node: Node): string | undefined {
  const isMember = node.type === 'MemberExpression' && node.property.type === 'Identifier';
  return isMember && node.property.type === 'Identifier' ? node.property.name : undefined;
}

function isZero(node: Node): boolean {
  return node.type === 'NumericLiteral' && node.value === 0;
}

/** `a !== 2`, and all such parts of `a !== 2 || b !== 3`. */
function unequal(test: Node): OtherLiteral[] {
  if (test.type !== 'BinaryExpression' && test.type !== 'LogicalExpression') return [];
  if (test.operator === '||') return [...unequal(test.left), ...unequal(test.right)];
  return /^!==?$/.test(test.operator) ? otherLiteral(test.left, test.right) : [];
}

/** `a === 2`, and one such part of `a === 2 && b === 3`. */
function equal(test: Node): OtherLiteral[] {
  if (test.type !== 'BinaryExpression' && test.type !== 'LogicalExpression') return [];
  if (test.operator === '&&') return [...equal(test.left), ...equal(test.right)];
  return /^===?$/.test(test.operator) ? otherLiteral(test.left, test.right) : [];
}

function otherLiteral(...sides: readonly Node[]): OtherLiteral[] {
  return sides.flatMap((side): OtherLiteral[] => {
    const [from, to] = [side.start!, side.end!];
    if (side.type === 'NumericLiteral') return [{ from, to, text: String(side.value + 1) }];
    return side.type === 'StringLiteral' ? [{ from: to - 1, to: to - 1, text: 'x' }] : [];
  });
}
