import { parse } from '@babel/parser';
import type { CallExpression, Expression, Node, Statement } from '@babel/types';

/** The text of a test file in which expected values of some tests are wrong. */
export interface MutatedFile {
  readonly text: string;
  /** Names of the tests that must fail: suite names and test name, joined by ` > `. */
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
  /** Expected values that every run of the test compares. */
  readonly expected: readonly Edit[];
}

/**
 * Replaces the expected values of the named tests by `nonce`, a value that no code returns. It mutates only
 * comparisons that every run of the test reaches, so that the test must fail. A text that cannot be parsed is returned
 * unchanged.
 */
export function mutateExpectations(text: string, names: ReadonlySet<string>, nonce: string): MutatedFile {
  const tests = testsIn(text).filter(({ name, expected }) => names.has(name) && expected.length > 0);
  const counts = new Map<string, number>();
  for (const { name } of tests) counts.set(name, (counts.get(name) ?? 0) + 1);
  const edits = tests.flatMap(({ expected }) => expected).sort((a, b) => b.from - a.from);
  let mutated = text;
  for (const { from, to } of edits) mutated = `${mutated.slice(0, from)}'${nonce}'${mutated.slice(to)}`;
  return { text: mutated, mustFail: [...counts].filter(([, count]) => count === 1).map(([name]) => name) };
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
    return [{ name: path.join(' > '), expected: alwaysReached(body).flatMap(expectedOf) }];
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

/** The statements that every run reaches: those before the first that may branch, return or loop. */
function alwaysReached(body: readonly Statement[]): readonly Statement[] {
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

/** `expect(x)`, or a chain on it that keeps its meaning: `.resolves`, `.to.be`, but not `.not`. */
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
