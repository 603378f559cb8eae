import type { Node } from '@babel/types';
import { parseSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';

/**
 * The constants that a text of a file has more often than its text in the base, as texts: literals, what arithmetic on
 * literals gives, and the numbers and words in texts. `before` is undefined for a new file.
 */
export function addedLiterals(file: string, text: string, before: string | undefined): ReadonlySet<string> {
  const known = countsOf(constantsIn(file, before ?? ''));
  const now = countsOf(constantsIn(file, text));
  return new Set(
    [...now].filter(([value, count]) => count > (known.get(value) ?? 0)).map(([value]) => value),
  );
}

function constantsIn(file: string, text: string): string[] {
  const parsed = /\.[cm]?[jt]sx?$/.test(file) ? parseSource(file, text) : { problem: '' };
  if ('problem' in parsed) return tokensOf(text);
  const found: string[] = [];
  walk(parsed.tree.program, (node) => {
    const value = constantOf(node);
    if (value === undefined) return;
    found.push(String(value));
    if (typeof value === 'string') found.push(...tokensOf(value).filter((token) => token !== value));
  });
  return found;
}

/** The value of a literal, or of an operation on literals; undefined for every other expression. */
function constantOf(node: Node): number | string | undefined {
  switch (node.type) {
    case 'NumericLiteral':
    case 'StringLiteral':
      return node.value;
    case 'TemplateElement':
      return node.value.cooked ?? undefined;
    case 'ObjectProperty':
      // The key of a table: `{ a250: 750 }`.
      return !node.computed && node.key.type === 'Identifier' && /\d/.test(node.key.name)
        ? node.key.name
        : undefined;
    case 'ParenthesizedExpression':
      return constantOf(node.expression);
    case 'UnaryExpression': {
      const value = constantOf(node.argument);
      return typeof value === 'number' && node.operator === '-' ? -value : undefined;
    }
    case 'BinaryExpression':
      return operationOn(node.operator, constantOf(node.left), constantOf(node.right));
    default:
      return undefined;
  }
}

function operationOn(
  operator: string,
  left: number | string | undefined,
  right: number | string | undefined,
): number | string | undefined {
  if (typeof left === 'string' || typeof right === 'string')
    return operator === '+' && left !== undefined && right !== undefined ? `${left}${right}` : undefined;
  if (left === undefined || right === undefined) return undefined;
  return { '+': left + right, '-': left - right, '*': left * right, '/': left / right, '**': left ** right }[
    operator
  ];
}

/** The numbers and words in a text. */
function tokensOf(text: string): string[] {
  return text.match(/-?\d+(\.\d+)?|[a-z]\w*/gi) ?? [];
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
