import { parse } from '@babel/parser';
import type { CallExpression, Node } from '@babel/types';

/** A test that a file declares. */
export interface DeclaredTest {
  /** Names of its groups and its own, joined by ` > `, as checks report them. */
  readonly name: string;
  /** Its own name. */
  readonly title: string;
  /** Indices of UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly asserts: boolean;
}

/** The static facts of a test file. */
export interface ScannedFile {
  readonly tests: readonly DeclaredTest[];
  /** Specifiers of all imports. */
  readonly imports: readonly string[];
  /** Reasons for which the file is rejected, each as a sentence part. */
  readonly problems: readonly string[];
}

const TESTS = new Set(['test', 'it', 'specify']);
const GROUPS = new Set(['describe', 'suite', 'context']);
const ASSERTION = /^(assert|expect|should)/;
const FOREIGN_MODULE =
  /^(node:)?(https?|http2|net|tls|dgram|dns|child_process|cluster|worker_threads|os|vm|crypto|perf_hooks|process|inspector)(\/|$)/;
const FAKE_TIMERS = /useFakeTimers|mock\.timers|fakeTimers|sinon/;
const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  fetch: 'uses the network',
  WebSocket: 'uses the network',
  XMLHttpRequest: 'uses the network',
  crypto: 'uses random values',
  process: 'reads the environment',
  performance: 'reads the clock',
  eval: 'uses eval',
  Function: 'uses Function',
  globalThis: 'uses globalThis',
};

/** Reads a test file without running it. A text that does not parse has one problem. */
export function scanTests(text: string, path: string): ScannedFile {
  let body: readonly Node[];
  try {
    const isTyped = /\.[cm]?tsx?$/.test(path);
    body = parse(text, {
      sourceType: 'unambiguous',
      plugins: isTyped ? (/x$/.test(path) ? ['typescript', 'jsx'] : ['typescript']) : ['jsx'],
    }).program.body;
  } catch (error) {
    return { tests: [], imports: [], problems: [`does not parse: ${(error as Error).message}`] };
  }
  const facts: Facts = { tests: [], imports: [], problems: new Set(), asserting: assertingHelpers(body) };
  readStatements(body, [], facts);
  const declared = new Set(facts.tests.map(({ start }) => start));
  for (const node of body) walk(node, (inner) => examine(inner, facts, declared, FAKE_TIMERS.test(text)));
  if (facts.tests.length === 0) facts.problems.add('declares no test');
  const names = facts.tests.map(({ name }) => name);
  if (new Set(names).size < names.length) facts.problems.add('has two tests of the same name');
  return { ...facts, problems: [...facts.problems] };
}

interface Facts {
  readonly tests: DeclaredTest[];
  readonly imports: string[];
  readonly problems: Set<string>;
  /** Names of functions of the file that contain an assertion. */
  readonly asserting: ReadonlySet<string>;
}

function readStatements(body: readonly Node[], groups: readonly string[], facts: Facts): void {
  for (const statement of body) {
    const call = statement.type === 'ExpressionStatement' ? callIn(statement.expression) : undefined;
    if (call?.callee.type !== 'Identifier') continue;
    const { name } = call.callee;
    const [title] = call.arguments;
    if (title?.type !== 'StringLiteral') continue;
    const run = call.arguments.find(
      (arg) => arg.type === 'ArrowFunctionExpression' || arg.type === 'FunctionExpression',
    );
    if (run === undefined) continue;
    const path = [...groups, title.value];
    if (GROUPS.has(name)) {
      const inner = 'body' in run ? run.body : undefined;
      if (inner?.type === 'BlockStatement') readStatements(inner.body, path, facts);
    } else if (TESTS.has(name)) {
      facts.tests.push({
        name: path.join(' > '),
        title: title.value,
        start: statement.start!,
        end: statement.end!,
        asserts: containsAssertion(run, facts.asserting),
      });
    }
  }
}

function callIn(node: Node): CallExpression | undefined {
  if (node.type === 'AwaitExpression' || node.type === 'UnaryExpression') return callIn(node.argument);
  return node.type === 'CallExpression' ? node : undefined;
}

/** Finds what a test must not use, and tests whose number is not evident. */
function examine(
  node: Node,
  { imports, problems, tests }: Facts,
  declared: ReadonlySet<number>,
  faked: boolean,
): void {
  const specifier = specifierOf(node);
  if (specifier !== undefined) {
    imports.push(specifier);
    if (FOREIGN_MODULE.test(specifier)) problems.add(`imports ${specifier}`);
  }
  if (node.type === 'ImportExpression' || (node.type === 'CallExpression' && node.callee.type === 'Import')) {
    if (specifier === undefined) problems.add('has an import whose path is computed');
  }
  if (node.type === 'Identifier') {
    const reason = FOREIGN_NAMES[node.name];
    if (reason !== undefined) problems.add(`${reason} (${node.name})`);
  }
  if (
    node.type === 'StringLiteral' &&
    /^(\/(etc|proc|home|tmp|var|usr|root|dev)\b|~\/|file:)/.test(node.value)
  )
    problems.add(`names a place outside the repository (${node.value})`);
  if (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.property.type === 'Identifier'
  ) {
    const name = `${node.object.name}.${node.property.name}`;
    if (name === 'Date.now' && !faked) problems.add('reads the clock (Date.now)');
    if (name === 'Math.random') problems.add('uses random values (Math.random)');
    const isTest = TESTS.has(node.object.name) || GROUPS.has(node.object.name);
    if (isTest && /^(only|skip|todo|each|for|skipIf|runIf|fails|failing)$/.test(node.property.name))
      problems.add(`uses ${name}; every test is to be a plain call`);
  }
  const isDate =
    node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'Date';
  if (isDate && node.arguments.length === 0 && !faked) problems.add('reads the clock (new Date())');
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || !TESTS.has(node.callee.name))
    return;
  const isDeclared = tests.some(({ start, end }) => start <= node.start! && node.end! <= end);
  if (!isDeclared && !declared.has(node.start!))
    problems.add('declares tests in a loop, in a function or without a plain name');
}

function specifierOf(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return node.source.value;
  if (node.type === 'ExportNamedDeclaration') return node.source?.value;
  if (node.type === 'ImportExpression')
    return node.source.type === 'StringLiteral' ? node.source.value : undefined;
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  const isRequire = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require');
  const [first] = node.arguments;
  return isRequire && first?.type === 'StringLiteral' ? first.value : undefined;
}

function assertingHelpers(body: readonly Node[]): Set<string> {
  const helpers = body.filter((node) => node.type === 'FunctionDeclaration');
  return new Set(
    helpers.filter((node) => containsAssertion(node, new Set())).flatMap(({ id }) => id?.name ?? []),
  );
}

function containsAssertion(node: Node, helpers: ReadonlySet<string>): boolean {
  let found = false;
  walk(node, (inner) => {
    if (inner.type !== 'CallExpression') return;
    let at: Node = inner.callee;
    while (at.type === 'MemberExpression' || at.type === 'CallExpression')
      at = at.type === 'MemberExpression' ? at.object : at.callee;
    if (at.type !== 'Identifier') return;
    const isMember = inner.callee.type === 'MemberExpression';
    const isContext = at.name === 't' && isMember;
    // `expect(value)` alone asserts nothing.
    const isBare = /^expect/.test(at.name) && !isMember;
    if ((ASSERTION.test(at.name) && !isBare) || isContext || helpers.has(at.name)) found = true;
  });
  return found;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node) as unknown[])
    for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(inner)) walk(inner, visit);
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    'start' in value &&
    typeof value.type === 'string'
  );
}
