import type { CallExpression, Node } from '@babel/types';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { findHazards } from './hazards.ts';
import { memberOf, parseText, specifierOf, walk } from './syntax.ts';
import { findTiedNames, mentions, type TiedNames } from './tied-names.ts';

/** A test that a file declares, once or for each row of a literal table. */
export interface DeclaredTest {
  /** Names of its groups and its own, joined by ` > `, as checks report them; with placeholders for a table. */
  readonly name: string;
  /** Its own name. */
  readonly title: string;
  /** Matches the reported names of its cases; absent for a test that runs once. */
  readonly cases?: RegExp;
  /** Number of cases. */
  readonly count: number;
  /** Indices of UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** A reason not to count it, as a sentence part. */
  readonly problem?: string;
}

/** The static facts of a test file. */
export interface ScannedFile {
  readonly tests: readonly DeclaredTest[];
  /** Specifiers of all imports. */
  readonly imports: readonly string[];
  /** Reasons for which the file is rejected, each as a sentence part. */
  readonly problems: readonly string[];
  readonly tied: TiedNames;
}

const TESTS = new Set(['test', 'it', 'specify']);
const GROUPS = new Set(['describe', 'suite', 'context']);
const ASSERTION = /^(assert|expect|should)/;
const UNUSABLE = /^(only|skip|todo|skipIf|runIf|fails|failing|concurrent)$/;

/**
 * Reads a test file without running it. `isOwn`: whether a specifier belongs to the repository. A text that does not
 * parse has one problem.
 */
export function scanTests(text: string, path: string, isOwn: (specifier: string) => boolean): ScannedFile {
  let body: readonly Node[];
  try {
    body = parseText(text, path);
  } catch (error) {
    const problem = `does not parse: ${(error as Error).message}`;
    return { tests: [], imports: [], problems: [problem], tied: { locals: new Set(), members: new Set() } };
  }
  const tied = findTiedNames(body, isOwn);
  const facts: Facts = {
    tests: [],
    imports: [],
    problems: new Set(),
    asserting: helpersOf(body),
    tied,
    body,
  };
  readStatements(body, { groups: [], rows: undefined }, facts);
  for (const problem of findHazards(body, path)) facts.problems.add(problem);
  for (const top of body) walk(top, (node) => examine(node, facts));
  if (facts.tests.length === 0) facts.problems.add('declares no test');
  const names = facts.tests.map(({ name }) => name);
  if (new Set(names).size < names.length) facts.problems.add('has two tests of the same name');
  return { tests: facts.tests, imports: facts.imports, problems: [...facts.problems], tied };
}

interface Facts {
  readonly tests: DeclaredTest[];
  readonly imports: string[];
  readonly problems: Set<string>;
  /** Names of functions of the file that contain an assertion. */
  readonly asserting: ReadonlySet<string>;
  readonly tied: TiedNames;
  readonly body: readonly Node[];
}

interface Place {
  readonly groups: readonly string[];
  /** Number of rows of the table that a loop runs over. */
  readonly rows: number | undefined;
}

function readStatements(body: readonly Node[], place: Place, facts: Facts): void {
  for (const statement of body) {
    if (statement.type === 'ForOfStatement' && statement.body.type === 'BlockStatement') {
      const rows = rowsOf(statement.right, facts.body);
      if (rows !== undefined && place.rows === undefined)
        readStatements(statement.body.body, { ...place, rows }, facts);
      continue;
    }
    const call = statement.type === 'ExpressionStatement' ? callIn(statement.expression) : undefined;
    if (call !== undefined) readCall(call, statement, place, facts);
  }
}

function readCall(call: CallExpression, statement: Node, place: Place, facts: Facts): void {
  const { name, rows: table } = calledTest(call, facts.body);
  const title = titleOf(call.arguments[0]);
  const run = call.arguments.find(
    (arg) => arg.type === 'ArrowFunctionExpression' || arg.type === 'FunctionExpression',
  );
  if (name === undefined || title === undefined || run === undefined) return;
  const path = [...place.groups, title];
  if (GROUPS.has(name)) {
    if (table === undefined && run.body.type === 'BlockStatement')
      readStatements(run.body.body, { ...place, groups: path }, facts);
    return;
  }
  const count = (table ?? 1) * (place.rows ?? 1);
  const isTable = table !== undefined || place.rows !== undefined;
  facts.tests.push({
    name: path.join(' > '),
    title,
    cases: isTable ? patternOf(path.join(' > ')) : undefined,
    count,
    start: statement.start!,
    end: statement.end!,
    problem: problemIn(run, facts),
  });
}

/** The function that a call declares a test or a group with; `rows` for `test.each(table)` and `test.for(table)`. */
function calledTest({ callee }: CallExpression, body: readonly Node[]): { name?: string; rows?: number } {
  const isKnown = (name: string): boolean => TESTS.has(name) || GROUPS.has(name);
  if (callee.type === 'Identifier') return isKnown(callee.name) ? { name: callee.name } : {};
  if (callee.type !== 'CallExpression') return {};
  const member = memberOf(callee.callee);
  const [table] = callee.arguments;
  const isEach = member?.name === 'each' || member?.name === 'for';
  if (!isEach || member.object.type !== 'Identifier' || !isKnown(member.object.name)) return {};
  const rows = table === undefined ? undefined : rowsOf(table, body);
  return rows === undefined ? {} : { name: member.object.name, rows };
}

/** The number of rows of a literal table, or of a constant that holds one. */
function rowsOf(node: Node, body: readonly Node[]): number | undefined {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return rowsOf(node.expression, body);
  if (node.type === 'ArrayExpression')
    return node.elements.some((element) => element?.type === 'SpreadElement')
      ? undefined
      : node.elements.length;
  if (node.type === 'CallExpression') {
    const [table] = node.arguments;
    const member = memberOf(node.callee);
    const isEntries = member?.object.type === 'Identifier' && member.object.name === 'Object';
    return isEntries && table?.type === 'ObjectExpression' ? table.properties.length : undefined;
  }
  if (node.type !== 'Identifier') return undefined;
  const value = body
    .filter((statement) => statement.type === 'VariableDeclaration' && statement.kind === 'const')
    .flatMap((statement) => ('declarations' in statement ? statement.declarations : []))
    .find(({ id }) => id.type === 'Identifier' && id.name === node.name)?.init;
  return value === undefined || value === null || value.type === 'Identifier'
    ? undefined
    : rowsOf(value, body);
}

function titleOf(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('%s');
}

/** A pattern for the names that a runner makes of a title with placeholders. */
function patternOf(name: string): RegExp {
  const parts = name.split(/%[a-zA-Z%#$]|\$[\w.#]+/).map(escapeRegExp);
  return new RegExp(`^${parts.join('[^]*')}$`);
}

function callIn(node: Node): CallExpression | undefined {
  if (node.type === 'AwaitExpression' || node.type === 'UnaryExpression') return callIn(node.argument);
  return node.type === 'CallExpression' ? node : undefined;
}

/** Collects imports, and finds tests that are skipped or whose number is not evident. */
function examine(node: Node, { imports, problems, tests }: Facts): void {
  const specifier = specifierOf(node);
  if (specifier !== undefined) imports.push(specifier);
  const member = memberOf(node);
  const root = member?.object.type === 'Identifier' ? member.object.name : undefined;
  if (member !== undefined && root !== undefined && (TESTS.has(root) || GROUPS.has(root)))
    if (UNUSABLE.test(member.name)) problems.add(`uses ${root}.${member.name}; every test must run`);
  if (node.type !== 'CallExpression') return;
  const { callee } = node;
  const inner = callee.type === 'CallExpression' ? memberOf(callee.callee)?.object : callee;
  if (inner?.type !== 'Identifier' || !TESTS.has(inner.name)) return;
  const isDeclared = tests.some(({ start, end }) => start <= node.start! && node.end! <= end);
  if (!isDeclared)
    problems.add('declares tests in a function, over a computed table or without a plain name');
}

function helpersOf(body: readonly Node[]): Set<string> {
  const helpers = body.filter((node) => node.type === 'FunctionDeclaration');
  return new Set(
    helpers.filter((node) => assertionsIn(node, new Set()).length > 0).flatMap(({ id }) => id?.name ?? []),
  );
}

/** A reason for which a test's failure would say nothing about the repository. */
function problemIn(run: Node, { asserting, tied }: Facts): string | undefined {
  const assertions = assertionsIn(run, asserting);
  if (assertions.length === 0) return 'has no assertion';
  if (!mentions(run, tied.locals)) return 'uses nothing that is imported from the repository';
  if (assertions.some((call) => comparesConstants(call))) return 'compares constants';
  const isTied = assertions.some(
    (call) => mentions(call, tied.locals) || /^(fail|unreachable)$/.test(memberOf(call.callee)?.name ?? ''),
  );
  return isTied ? undefined : 'asserts nothing about what it imports from the repository';
}

function comparesConstants(call: CallExpression): boolean {
  const args: Node[] = [...call.arguments];
  for (let at: Node = call.callee; ;) {
    if (at.type === 'CallExpression') args.push(...at.arguments);
    const next: Node | undefined = at.type === 'CallExpression' ? at.callee : memberOf(at)?.object;
    if (next === undefined) break;
    at = next;
  }
  const name = memberOf(call.callee)?.name ?? '';
  if (/^(fail|unreachable|assertions|hasAssertions|plan|ok)$/.test(name) && args.length < 2) return false;
  return args.length > 0 && args.every((arg) => !hasName(arg));
}

function hasName(node: Node): boolean {
  let found = false;
  walk(node, ({ type }) => {
    if (type === 'Identifier' || type === 'ThisExpression' || type === 'ImportExpression') found = true;
  });
  return found;
}

function assertionsIn(node: Node, helpers: ReadonlySet<string>): CallExpression[] {
  const found: CallExpression[] = [];
  walk(node, (inner) => {
    if (inner.type !== 'CallExpression') return;
    let at: Node = inner.callee;
    while (at.type === 'MemberExpression' || at.type === 'CallExpression')
      at = at.type === 'MemberExpression' ? at.object : at.callee;
    if (at.type !== 'Identifier') return;
    const isMember = inner.callee.type === 'MemberExpression';
    const isContext = at.name === 't' && memberOf(inner.callee)?.object.type === 'MemberExpression';
    // `expect(value)` alone asserts nothing.
    const isBare = /^expect/.test(at.name) && !isMember;
    if ((ASSERTION.test(at.name) && !isBare) || isContext || helpers.has(at.name)) found.push(inner);
  });
  return found;
}
