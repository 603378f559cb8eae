import type { CallExpression, Node, Statement } from '@babel/types';
import { endOf, parseSource, startOf, type ParsedSource } from '../../../src/repair/syntax/parse.ts';
import { sitesOf } from '../../../src/repair/syntax/walk.ts';
import { usageError } from '../../../src/errors.ts';
import { declaredNames } from './declared-names.ts';

/** One test of the file to be written. */
interface WrittenTest {
  readonly title: string;
  readonly body: string;
  readonly isAsync: boolean;
}

const TITLE_CHARS = 100;

/** Assertions whose message has both values. Values are compared by `===`, as in the original program. */
const HELPERS = `function assertSame(actual, expected, message) {
  if (actual === expected) return;
  throw new AssertionError({ message, actual, expected, operator: 'strictEqual', stackStartFn: assertSame });
}

function assertHolds(value, message) {
  if (value) return;
  throw new AssertionError({ message, actual: value, expected: true, operator: '==', stackStartFn: assertHolds });
}
`;
const OWN_NAMES = ['AssertionError', 'test', 'assertSame', 'assertHolds'];

/**
 * Converts a program that uses `console.assert` to a node:test file (CommonJS). Each assertion of a test function becomes
 * a test; a test function with other statements becomes one test. The rest of the program is kept. `from` names the
 * module under test and its exports. Throws a usage error if the program does not parse or declares a name that the
 * file needs.
 */
export function renderTestFile(
  text: string,
  from: { readonly module: string; readonly names: readonly string[] },
): string {
  const parsed = parseSource('tests.js', text);
  if ('problem' in parsed) throw usageError(parsed.problem);
  const { kept, tests } = splitTests(parsed);
  refuseTakenNames([...declaredNames(kept.nodes), ...from.names]);
  return [
    "const { AssertionError } = require('node:assert');",
    "const { test } = require('node:test');",
    `const { ${from.names.join(', ')} } = require(${JSON.stringify(from.module)});`,
    '',
    HELPERS,
    ...kept.texts,
    ...withUniqueTitles(tests).map(renderTest),
  ].join('\n');
}

function refuseTakenNames(names: readonly string[]): void {
  const taken = OWN_NAMES.find((name) => names.includes(name));
  if (taken !== undefined) throw usageError(`The name "${taken}" is declared, and the test file needs it.`);
}

interface SplitProgram {
  readonly kept: { readonly nodes: readonly Statement[]; readonly texts: readonly string[] };
  readonly tests: readonly WrittenTest[];
}

function splitTests(parsed: ParsedSource): SplitProgram {
  const { body } = parsed.tree.program;
  const functions = new Map(
    body.map((statement) => testFunction(parsed, statement)).filter((found) => found !== undefined),
  );
  const calls = new Set(body.filter((statement) => functions.has(calledName(statement) ?? '')));
  const called = new Set([...calls].map(calledName));
  const kept: Statement[] = [];
  const tests: WrittenTest[] = [];
  for (const statement of body) {
    const found = testFunction(parsed, statement);
    if (calls.has(statement)) continue;
    if (found !== undefined && called.has(found[0])) tests.push(...testsOf(parsed, found));
    else if (isAssertion(statement)) tests.push(singleTest(parsed, statement));
    else kept.push(statement);
  }
  if (tests.length > 0 || kept.length === 0)
    return { kept: { nodes: kept, texts: kept.map((node) => rewrite(parsed, node)) }, tests };
  const whole = { title: 'the program passes', body: rewrite(parsed, parsed.tree.program), isAsync: false };
  return { kept: { nodes: [], texts: [] }, tests: [whole] };
}

interface TestFunction {
  readonly block: readonly Statement[];
  readonly isAsync: boolean;
}

/** A top-level function without parameters whose name occurs only in its declaration and one call. */
function testFunction(parsed: ParsedSource, statement: Statement): [string, TestFunction] | undefined {
  const [name, node] = namedFunction(statement);
  if (name === undefined || node === undefined) return undefined;
  const { params, body, generator, async: isAsync } = node;
  if (params.length > 0 || body.type !== 'BlockStatement' || generator === true) return undefined;
  const mentions = sitesOf(parsed.tree.program).filter(
    (site) => site.node.type === 'Identifier' && site.node.name === name,
  );
  return mentions.length === 2 ? [name, { block: body.body, isAsync: isAsync === true }] : undefined;
}

type FunctionNode = Extract<
  Node,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

function namedFunction(statement: Statement): [name?: string, node?: FunctionNode] {
  if (statement.type === 'FunctionDeclaration') return [statement.id?.name, statement];
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return [];
  const { id, init } = statement.declarations[0]!;
  if (id.type !== 'Identifier') return [];
  const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
  return isFunction ? [id.name, init] : [];
}

/** The name in a statement of the form `name()`. */
function calledName(statement: Statement): string | undefined {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression')
    return undefined;
  const { callee, arguments: given } = statement.expression;
  return callee.type === 'Identifier' && given.length === 0 ? callee.name : undefined;
}

function testsOf(parsed: ParsedSource, [name, { block, isAsync }]: [string, TestFunction]): WrittenTest[] {
  if (block.length > 0 && block.every(isAssertion) && !isAsync)
    return block.map((statement) => singleTest(parsed, statement));
  return [{ title: name, body: block.map((node) => rewrite(parsed, node)).join('\n'), isAsync }];
}

function singleTest(parsed: ParsedSource, statement: Statement): WrittenTest {
  const { expression } = statement as Extract<Statement, { type: 'ExpressionStatement' }>;
  const [first] = (expression as CallExpression).arguments;
  const title = first === undefined ? 'nothing' : parsed.text.slice(startOf(first), endOf(first));
  return { title: title.replace(/\s+/g, ' '), body: rewrite(parsed, statement), isAsync: false };
}

function isAssertion(statement: Statement): boolean {
  return statement.type === 'ExpressionStatement' && isAssertCall(statement.expression);
}

function isAssertCall(node: Node): node is CallExpression {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property, computed } = node.callee;
  return (
    !computed &&
    object.type === 'Identifier' &&
    object.name === 'console' &&
    property.type === 'Identifier' &&
    property.name === 'assert'
  );
}

/** The node's text with its outermost `console.assert` calls replaced. */
function rewrite({ text }: ParsedSource, node: Node): string {
  let at = startOf(node);
  let written = '';
  for (const site of sitesOf(node)) {
    if (!isAssertCall(site.node) || startOf(site.node) < at) continue;
    written += text.slice(at, startOf(site.node)) + renderAssertion(text, site.node);
    at = endOf(site.node);
  }
  return written + text.slice(at, endOf(node));
}

function renderAssertion(text: string, call: CallExpression): string {
  const [first, ...rest] = call.arguments;
  const textOf = (node: Node): string => text.slice(startOf(node), endOf(node));
  const messages = rest.map((node) => `, ${textOf(node)}`).join('');
  if (first === undefined) return 'assertHolds(undefined)';
  const compared = withoutParentheses(first);
  return compared.type === 'BinaryExpression' && compared.operator === '==='
    ? `assertSame(${textOf(compared.left)}, ${textOf(compared.right)}${messages})`
    : `assertHolds(${textOf(first)}${messages})`;
}

function withoutParentheses(node: Node): Node {
  return node.type === 'ParenthesizedExpression' ? withoutParentheses(node.expression) : node;
}

function withUniqueTitles(tests: readonly WrittenTest[]): WrittenTest[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const title = test.title.length > TITLE_CHARS ? `${test.title.slice(0, TITLE_CHARS)}…` : test.title;
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return { ...test, title: count === 1 ? title : `${title} (${count})` };
  });
}

function renderTest({ title, body, isAsync }: WrittenTest): string {
  return `test(${JSON.stringify(title)}, ${isAsync ? 'async ' : ''}() => {\n${body}\n});\n`;
}
