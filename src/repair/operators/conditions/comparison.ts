import type { Node } from '@babel/types';
import type { Operator } from '../operator.ts';
import { replaceNode, replaceOperator } from '../proposals.ts';

/** `<` → `<=`, `===` → `!==`: other comparison operators, the most related ones first. */
export const comparison: Operator = {
  name: 'comparison',
  prior: 1,
  *propose({ node }, { text, kindOf }) {
    if (node.type !== 'BinaryExpression') return;
    const ordered = kindOf(node.left) === 'number' || kindOf(node.right) === 'number' ? 0.35 : 0.2;
    const { operator } = node;
    for (const [other, factor] of RELATIVES[operator] ?? []) {
      yield replaceOperator(node, other, { text, factor: factor ?? ordered });
    }
  },
};

/** `a < b` → `b < a`. */
export const swapCompared: Operator = {
  name: 'swap-compared',
  prior: 0.3,
  *propose({ node }, { textOf }) {
    if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator)) return;
    yield replaceNode(node, `${textOf(node.right)} ${node.operator} ${textOf(node.left)}`);
  },
};

/** `filter(x > 0)` → `filter(x => 0)`: a comparison in place of an arrow function. */
export const arrowForComparison: Operator = {
  name: 'arrow-for-comparison',
  prior: 0.8,
  *propose({ node, parent, key }, { text, textOf }) {
    if (key !== 'arguments' || parent === undefined || node.type !== 'BinaryExpression') return;
    const first = leftmost(node);
    if (first === undefined) return;
    const result = text.slice(first.right.start!, node.end!);
    yield replaceNode(node, `${textOf(first.left)} => ${result}`);
    const loose = result.replace(/([<>])(?!=)/, '$1=');
    if (loose !== result) yield replaceNode(node, `${textOf(first.left)} => ${loose}`, 0.7);
  },
};

type Comparison = Extract<Node, { type: 'BinaryExpression' }>;

function leftmost(node: Comparison): Comparison | undefined {
  if (node.left.type === 'BinaryExpression') return leftmost(node.left);
  const isArrow = /^>=?$/.test(node.operator) && node.left.type === 'Identifier';
  return isArrow ? node : undefined;
}

/** Without a factor: one that depends on the kind of the operands. */
type Relative = readonly [operator: string, factor?: number];

const RELATIVES: Readonly<Record<string, readonly Relative[]>> = {
  '<': [
    ['<=', 1],
    ['>', 0.9],
    ['>=', 0.7],
    ['!==', 0.4],
    ['===', 0.4],
  ],
  '<=': [
    ['<', 1],
    ['>=', 0.9],
    ['>', 0.7],
    ['!==', 0.3],
    ['===', 0.4],
  ],
  '>': [
    ['>=', 1],
    ['<', 0.9],
    ['<=', 0.7],
    ['!==', 0.4],
    ['===', 0.4],
  ],
  '>=': [
    ['>', 1],
    ['<=', 0.9],
    ['<', 0.7],
    ['!==', 0.3],
    ['===', 0.4],
  ],
  '===': [['!==', 1], ['==', 0.2], ['<'], ['>'], ['<='], ['>=']],
  '!==': [['===', 1], ['!=', 0.2], ['<'], ['>'], ['<='], ['>=']],
  '==': [['!=', 1], ['===', 0.5], ['<'], ['>'], ['<='], ['>=']],
  '!=': [['==', 1], ['!==', 0.5], ['<'], ['>'], ['<='], ['>=']],
  instanceof: [],
};
