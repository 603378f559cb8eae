import { parse } from '@babel/parser';
import type { Statement } from '@babel/types';

const TEST_NAMES = new Set(['test', 'it']);
const GROUP_NAMES = new Set(['describe', 'suite']);

export interface KeptTests {
  /** The file's text with the tests that are kept and everything beside them. */
  readonly text: string;
  readonly count: number;
}

/**
 * The first `most` test calls of a test file, groups included, with its imports and helpers. Undefined where the text
 * does not parse or has no test.
 */
export function keepTests(text: string, most: number): KeptTests | undefined {
  let body: readonly Statement[];
  try {
    body = parse(text, { sourceType: 'unambiguous', plugins: ['typescript', 'jsx'], errorRecovery: false })
      .program.body;
  } catch {
    return undefined;
  }
  let count = 0;
  const dropped: Statement[] = [];
  for (const statement of body) {
    const tests = testsIn(statement);
    if (tests === 0) continue;
    if (count + tests > most) dropped.push(statement);
    else count += tests;
  }
  if (count === 0) return undefined;
  return { text: without(text, dropped), count };
}

/** Test calls of a statement: 1 for a test, those inside for a group. */
function testsIn(statement: Statement): number {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return 0;
  const { callee, arguments: args } = statement.expression;
  const root = callee.type === 'MemberExpression' ? callee.object : callee;
  if (root.type !== 'Identifier') return 0;
  if (TEST_NAMES.has(root.name)) return 1;
  if (!GROUP_NAMES.has(root.name)) return 0;
  const body = args.at(-1);
  if (body?.type !== 'ArrowFunctionExpression' && body?.type !== 'FunctionExpression') return 0;
  return body.body.type === 'BlockStatement'
    ? body.body.body.reduce((sum, inner) => sum + testsIn(inner), 0)
    : 0;
}

function without(text: string, dropped: readonly Statement[]): string {
  return dropped
    .toReversed()
    .reduce((rest, { start, end }) => rest.slice(0, start!) + rest.slice(end!), text);
}
