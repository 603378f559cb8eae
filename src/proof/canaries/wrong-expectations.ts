import { parse } from '@babel/parser';
import type { CallExpression, Node, Statement } from '@babel/types';
import { walk } from '../acceptance/syntax.ts';
import { decisiveLiterals } from './decisive-literals.ts';
import { changesOf, unwrapped, type Change } from './wrong-values.ts';

/** One change of a test file after which a test must fail, whatever honest code it tests. */
export interface WrongExpectation extends Change {
  /** Name of the test: suite names and test name, joined by ` > `. For a table it is the title with its placeholders. */
  readonly test: string;
  /** True if the test is a table: each of its rows must fail. */
  readonly isTable: boolean;
  /** Offsets of the statement that declares the test; absent for a program without tests. */
  readonly whole?: { readonly from: number; readonly to: number };
}

const SUITES = new Set(['describe', 'suite', 'context']);
const TESTS = new Set(['test', 'it', 'specify']);

/**
 * The wrong expectations of a test file: comparisons for equality with an expected value that differs, one for each
 * comparison that every run of its test reaches. Bounds, tolerances, patterns and parts are left alone, because honest
 * code may satisfy the changed one too. Empty for a text that cannot be parsed, and for assertions of the repository's own.
 */
export function wrongExpectations(source: string): WrongExpectation[] {
  return foundInTests(source, (body) => alwaysReached(body).flatMap((it) => changesOf(it, source)));
}

/**
 * All wrong expectations of the tests that have none which every run reaches: those in callbacks and loops. If a test passes
 * with all of its changes at once, none of its comparisons ran. Tests with branches are left out: they may leave early.
 */
export function nestedExpectations(source: string): WrongExpectation[] {
  const isReached = new Set(wrongExpectations(source).map(({ test }) => test));
  return allNested(source).filter(({ test }) => !isReached.has(test));
}

/** The wrong expectations in callbacks and loops of the other tests: those that also have some which every run reaches. */
export function nestedBesideReached(source: string): WrongExpectation[] {
  const reached = wrongExpectations(source);
  const tests = new Set(reached.map(({ test }) => test));
  const places = new Set(reached.map(({ from }) => from));
  return allNested(source).filter(({ test, from }) => tests.has(test) && !places.has(from));
}

function allNested(source: string): WrongExpectation[] {
  return foundInTests(source, (body) =>
    body.some(branches) ? [] : body.flatMap((it) => calledWithin(it)).flatMap((it) => changesOf(it, source)),
  );
}

/**
 * Changes of a program that runs from its first line to its last, after each of which it must fail: comparisons on its top
 * level, in tests of `tape` or `uvu`, and `if (a !== 1) process.exit(1)`. Empty for a text that cannot be parsed.
 */
export function programExpectations(source: string): WrongExpectation[] {
  try {
    const { program } = parseTest(source);
    if (program.body.some(bindsOwnAssertions)) return [];
    const onTop = reachedOnTop(program.body).flatMap((it) => [...changesOf(it, source), ...decided(it)]);
    const inTests = among(program.body, [], (body) =>
      alwaysReached(body).flatMap((it) => changesOf(it, source)),
    );
    return [...onTop.map((change) => ({ ...change, test: '', isTable: false })), ...inTests];
  } catch {
    return [];
  }
}

/** The statements of a module that every run reaches: those that may end the process do so by a failure. */
function reachedOnTop(body: readonly Statement[]): readonly Statement[] {
  const end = body.findIndex((it) => !PLAIN.has(it.type) && decisiveLiterals(it).length === 0);
  return end === -1 ? body : body.slice(0, end);
}

const PLAIN = new Set([
  ...['ImportDeclaration', 'ExpressionStatement', 'VariableDeclaration', 'FunctionDeclaration'],
  'ClassDeclaration',
]);

function decided(statement: Statement): Change[] {
  return statement.type === 'IfStatement' ? decisiveLiterals(statement) : [];
}

/** The syntax of a test or a program. Throws for a text that cannot be parsed. */
export function parseTest(source: string): ReturnType<typeof parse> {
  return parse(source, {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    plugins: ['typescript', 'jsx', 'decorators'],
  });
}

/** What a function finds in the bodies of the tests of a text, with their names. */
export function foundInTests<Found extends object>(
  source: string,
  changesIn: (body: readonly Statement[]) => Found[],
): InTest<Found>[] {
  try {
    const { program } = parseTest(source);
    return program.body.some(bindsOwnAssertions) ? [] : among(program.body, [], changesIn);
  } catch {
    return [];
  }
}

/** The text with the changes made. They must not overlap. */
export function withWrong(source: string, changes: readonly WrongExpectation[]): string {
  return [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: other }) => text.slice(0, from) + other + text.slice(to), source);
}

/** `import { expect } from './mine.js'`, or a declaration of a name that assertions have. */
function bindsOwnAssertions(statement: Statement): boolean {
  const isAssertion = (name: string): boolean => /^(expect|assert|t)$/.test(name);
  if (statement.type === 'ImportDeclaration') {
    const isOwn = /^[./#~@]/.test(statement.source.value) && !/^@(jest|std)\//.test(statement.source.value);
    return isOwn && statement.specifiers.some(({ local }) => isAssertion(local.name));
  }
  if (statement.type === 'FunctionDeclaration') return isAssertion(statement.id?.name ?? '');
  if (statement.type !== 'VariableDeclaration') return false;
  return statement.declarations.some(({ id, init }) => {
    const names =
      id.type === 'Identifier'
        ? [id.name]
        : id.type === 'ObjectPattern'
          ? id.properties.flatMap((it) =>
              it.type === 'ObjectProperty' && it.value.type === 'Identifier' ? [it.value.name] : [],
            )
          : [];
    return names.some(isAssertion) && !isRequireOfPackage(init);
  });
}

/** `require('chai')`, also with `.strict` or the like behind it. */
function isRequireOfPackage(node: Node | null | undefined): boolean {
  if (node?.type === 'MemberExpression') return isRequireOfPackage(node.object);
  if (node?.type !== 'CallExpression') return false;
  const [name] = node.arguments;
  const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require';
  return isRequire && name?.type === 'StringLiteral' && !/^[./#~]/.test(name.value);
}

type InTest<Found> = Found & Pick<WrongExpectation, 'test' | 'isTable' | 'whole'>;

function among<Found extends object>(
  statements: readonly Statement[],
  suites: readonly string[],
  changesIn: (body: readonly Statement[]) => Found[],
): InTest<Found>[] {
  return statements.flatMap((statement) => {
    if (statement.type !== 'ExpressionStatement') return [];
    const call = unwrapped(statement.expression);
    if (call.type !== 'CallExpression') return [];
    const { name, isTable } = declared(call);
    const title = titleOf(call.arguments[0]);
    const body = bodyOf(call.arguments);
    if (name === undefined || title === undefined || body === undefined) return [];
    const path = [...suites, title];
    if (SUITES.has(name) && !isTable) return among(body, path, changesIn);
    if (!TESTS.has(name)) return [];
    const test = path.join(' > ');
    const whole = { from: statement.start!, to: statement.end! };
    return changesIn(body).map((change) => ({ ...change, test, isTable, whole }));
  });
}

/** The function that declares a suite or test: `test`, or `test.each(…)` for a table; undefined for all others. */
function declared({ callee }: CallExpression): { name?: string; isTable: boolean } {
  if (callee.type === 'Identifier') return { name: callee.name, isTable: false };
  const each = callee.type === 'CallExpression' ? callee.callee : undefined;
  const isEach =
    each?.type === 'MemberExpression' &&
    each.object.type === 'Identifier' &&
    each.property.type === 'Identifier' &&
    each.property.name === 'each';
  return isEach && each.object.type === 'Identifier'
    ? { name: each.object.name, isTable: true }
    : { isTable: false };
}

function titleOf(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value;
  const isPlain = node?.type === 'TemplateLiteral' && node.expressions.length === 0;
  return isPlain ? (node.quasis[0]!.value.cooked ?? undefined) : undefined;
}

/** The body of the last function among the arguments. Undefined with options, which may turn a failure into a pass. */
function bodyOf([, ...rest]: CallExpression['arguments']): readonly Statement[] | undefined {
  const node = rest[0];
  if (node?.type !== 'ArrowFunctionExpression' && node?.type !== 'FunctionExpression') return undefined;
  if (node.generator === true) return undefined;
  if (node.body.type === 'BlockStatement') return node.body.body;
  return [{ type: 'ExpressionStatement', expression: node.body } as Statement];
}

/** The statements that every run reaches: those before the first that may branch, return or loop. */
function alwaysReached(body: readonly Statement[]): readonly Statement[] {
  const end = body.findIndex(({ type }) => type !== 'ExpressionStatement' && type !== 'VariableDeclaration');
  return end === -1 ? body : body.slice(0, end);
}

function branches(statement: Statement): boolean {
  let found = false;
  walk(statement, ({ type }) => {
    if (type === 'IfStatement' || type === 'SwitchStatement') found = true;
  });
  return found;
}

/** The expression statements in a statement, and the bodies of its arrow functions that are one expression. */
function calledWithin(statement: Statement): Statement[] {
  const found: Statement[] = [];
  walk(statement, (node) => {
    if (node.type === 'ExpressionStatement') found.push(node);
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
      found.push({ type: 'ExpressionStatement', expression: node.body } as Statement);
  });
  return found;
}
