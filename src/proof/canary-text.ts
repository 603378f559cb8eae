import { parse } from '@babel/parser';
import type { CallExpression, Expression, Node, Statement } from '@babel/types';

/** A copy of a test file in which the expected values of some tests are wrong. */
export interface SpoiledText {
  readonly text: string;
  /** Names of the tests that must fail now, suite names and test name joined by ` > `. */
  readonly mustFail: readonly string[];
}

const SUITES = new Set(['describe', 'suite', 'context']);
const TESTS = new Set(['test', 'it', 'specify']);
const ASSERTIONS = new Set(['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']);
const MATCHERS = new Set(['toBe', 'toEqual', 'toStrictEqual', 'equal', 'equals', 'eql', 'eq']);

interface Edit {
  readonly from: number;
  readonly to: number;
}

interface FoundTest {
  readonly name: string;
  /** Expected values that are compared whenever the test runs. */
  readonly expected: readonly Edit[];
}

/**
 * Replaces what the named tests expect by `nonce`, a value that no code returns. Only comparisons that a test
 * reaches whatever happens before are spoiled: then it fails, unless something keeps it from failing. A text that
 * cannot be parsed is left as it is.
 */
export function spoilExpectations(text: string, names: ReadonlySet<string>, nonce: string): SpoiledText {
  const tests = testsIn(text).filter(({ name, expected }) => names.has(name) && expected.length > 0);
  const counts = new Map<string, number>();
  for (const { name } of tests) counts.set(name, (counts.get(name) ?? 0) + 1);
  const edits = tests.flatMap(({ expected }) => expected).sort((a, b) => b.from - a.from);
  let spoiled = text;
  for (const { from, to } of edits) spoiled = `${spoiled.slice(0, from)}'${nonce}'${spoiled.slice(to)}`;
  return { text: spoiled, mustFail: [...counts].filter(([, count]) => count === 1).map(([name]) => name) };
}

function testsIn(text: string): FoundTest[] {
  try {
    const { program } = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      plugins: ['typescript', 'jsx', 'decorators'],
    });
    return testsAmong(program.body, []);
  } catch {
    return [];
  }
}

function testsAmong(statements: readonly Statement[], suites: readonly string[]): FoundTest[] {
  return statements.flatMap((statement) => {
    const call = statement.type === 'ExpressionStatement' ? unwrapped(statement.expression) : undefined;
    if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') return [];
    const title = titleOf(call.arguments[0]);
    const body = bodyOf(call.arguments.at(-1));
    if (title === undefined || body === undefined) return [];
    const path = [...suites, title];
    if (SUITES.has(call.callee.name)) return testsAmong(body, path);
    if (!TESTS.has(call.callee.name)) return [];
    return [{ name: path.join(' > '), expected: certainly(body).flatMap(expectedOf) }];
  });
}

function titleOf(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value;
  const isPlain = node?.type === 'TemplateLiteral' && node.expressions.length === 0;
  return isPlain ? (node.quasis[0]!.value.cooked ?? undefined) : undefined;
}

function bodyOf(node: Node | undefined): readonly Statement[] | undefined {
  if (node?.type !== 'ArrowFunctionExpression' && node?.type !== 'FunctionExpression') return undefined;
  if (node.body.type === 'BlockStatement') return node.body.body;
  return [{ type: 'ExpressionStatement', expression: node.body } as Statement];
}

/** The statements that are reached in every run that comes to its end: up to the first that may leave. */
function certainly(body: readonly Statement[]): readonly Statement[] {
  const end = body.findIndex(({ type }) => type !== 'ExpressionStatement' && type !== 'VariableDeclaration');
  return end === -1 ? body : body.slice(0, end);
}

function expectedOf(statement: Statement): Edit[] {
  if (statement.type !== 'ExpressionStatement') return [];
  const call = unwrapped(statement.expression);
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return [];
  const { object, property } = call.callee;
  const name = property.type === 'Identifier' ? property.name : '';
  if (ASSERTIONS.has(name) && isAssert(object)) return rangeOf(call.arguments[1]);
  return MATCHERS.has(name) && call.arguments.length === 1 && isExpectation(object)
    ? rangeOf(call.arguments[0])
    : [];
}

function isAssert(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'assert';
  return (
    node.type === 'MemberExpression' && node.property.type === 'Identifier' && node.property.name === 'assert'
  );
}

/** `expect(x)`, and chains on it that say the same: `.resolves`, `.to.be`, never `.not`. */
function isExpectation(node: Node): boolean {
  if (node.type === 'CallExpression') return isExpectCall(node);
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  return (
    ['resolves', 'to', 'be', 'deep', 'is', 'and'].includes(node.property.name) && isExpectation(node.object)
  );
}

function isExpectCall({ callee, arguments: given }: CallExpression): boolean {
  return callee.type === 'Identifier' && callee.name === 'expect' && given.length === 1;
}

function rangeOf(node: Node | undefined): Edit[] {
  if (node === undefined || node.type === 'SpreadElement') return [];
  const { start, end } = node;
  return typeof start === 'number' && typeof end === 'number' ? [{ from: start, to: end }] : [];
}

function unwrapped(node: Expression): Expression {
  return node.type === 'AwaitExpression' ? node.argument : node;
}
