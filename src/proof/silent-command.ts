import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import { createCheck } from '../tools.ts';
import type { Check, CheckRequest } from '../ports.ts';
import { walk } from './acceptance/syntax.ts';

/** Code of a command line in quotes without any escape, as in `node -e "…"`. */
const INLINE = /(\s(?:-e|-p|--eval|--print)\s+)(?:"([^"\\$`]*)"|'([^']*)')/;

interface Literal {
  /** Offsets in the code. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A sentence on a command that passes although every value that its inline code compares was made wrong: none of its
 * comparisons runs, so that it proves nothing. Undefined for every other command.
 */
export async function findSilentCommand(check: Check, request: CheckRequest): Promise<string | undefined> {
  const [command = ''] = check.plan.args;
  const found = INLINE.exec(command);
  if (found === null) return undefined;
  const [whole, option = '', double, single] = found;
  const code = double ?? single ?? '';
  const changes = decisiveLiterals(code);
  if (changes.length === 0) return undefined;
  const wrong = [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: other }) => text.slice(0, from) + other + text.slice(to), code);
  const quote = double === undefined ? "'" : '"';
  const line = command.replace(whole, () => `${option}${quote}${wrong}${quote}`);
  const { status } = await createCheck({ ...check.plan, args: [line] }).run({ ...request, fresh: true });
  return status === 'pass'
    ? `\`${command}\` passes although every value that it compares was made wrong: none of its comparisons runs, so it proves nothing.`
    : undefined;
}

/** Other values for the literals of comparisons that end the process with a failure if they are not equal. */
function decisiveLiterals(code: string): Literal[] {
  const literals: Literal[] = [];
  try {
    const { program } = parse(code, { sourceType: 'unambiguous', allowReturnOutsideFunction: true });
    walk(program, (node) => {
      if (node.type === 'IfStatement' && fails(node.consequent)) literals.push(...unequal(node.test));
      if (node.type === 'ConditionalExpression' && isZero(node.consequent))
        literals.push(...equal(node.test));
    });
  } catch {
    return [];
  }
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
function unequal(test: Node): Literal[] {
  if (test.type !== 'BinaryExpression' && test.type !== 'LogicalExpression') return [];
  if (test.operator === '||') return [...unequal(test.left), ...unequal(test.right)];
  return /^!==?$/.test(test.operator) ? otherLiteral(test.left, test.right) : [];
}

/** `a === 2`, and one such part of `a === 2 && b === 3`. */
function equal(test: Node): Literal[] {
  if (test.type !== 'BinaryExpression' && test.type !== 'LogicalExpression') return [];
  if (test.operator === '&&') return [...equal(test.left), ...equal(test.right)];
  return /^===?$/.test(test.operator) ? otherLiteral(test.left, test.right) : [];
}

function otherLiteral(...sides: readonly Node[]): Literal[] {
  return sides.flatMap((side): Literal[] => {
    const [from, to] = [side.start!, side.end!];
    if (side.type === 'NumericLiteral') return [{ from, to, text: String(side.value + 1) }];
    return side.type === 'StringLiteral' ? [{ from: to - 1, to: to - 1, text: 'x' }] : [];
  });
}
