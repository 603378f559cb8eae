import type { CallExpression, Node } from '@babel/types';
import { uncheckTypes, wrapRanges, type Wrapping } from '../../syntax/wrappings.ts';
import { endOf, startOf, type ParsedSource } from '../../syntax/parse.ts';
import { sitesOf } from '../../syntax/walk.ts';

export interface WrapOptions {
  /** Absolute path of the trial runtime, the module that runs the candidates inside the test process. */
  readonly runtime: string;
  /** Absolute path of the plan that the runtime reads. */
  readonly planFile: string;
  /** Added as the third argument of each test, for runners that take a test's time limit there. */
  readonly testTimeoutMs?: number;
}

export interface WrappedTests {
  readonly text: string;
  /** Number of calls that declare a test and go through the runtime. */
  readonly tests: number;
}

/**
 * A copy of a test file whose tests, `beforeEach` / `afterEach` hooks and suites go through the trial runtime.
 * Without candidates it has the same outcome as the original. Recognises calls of `it`, `test`, `describe` and their
 * aliases, renamed imports included, with `.each`, `.only` and options; `t.test(…)` is a test too. Tests that hold
 * other tests and tests that compare with stored snapshots are not changed.
 */
export function wrapTests(parsed: ParsedSource, options: WrapOptions): WrappedTests {
  const calls = sitesOf(parsed.tree.program)
    .map(({ node }) => node)
    .filter((node): node is CallExpression => node.type === 'CallExpression');
  const roles = roleNames(parsed.tree.program.body);
  const declared = calls.flatMap((call) => {
    const role = roleOf(call, roles);
    return role === undefined ? [] : [{ call, role }];
  });
  const all = declared.filter(({ role }) => role === 'test');
  const snapshots = [...parsed.text.matchAll(SNAPSHOT)].map(({ index }) => index);
  const holds = ({ call }: { call: Node }, at: number): boolean => startOf(call) <= at && at < endOf(call);
  // A snapshot comparison outside of every test may be called by any of them.
  const isShared = snapshots.some((at) => !all.some((test) => holds(test, at)));
  const tests = isShared ? [] : all.filter((test) => !snapshots.some((at) => holds(test, at)));
  const wrappings = declared
    .filter(({ role }) => role !== 'test')
    .concat(tests.filter(({ call }) => !all.some((inner) => isInside(inner.call, call))))
    .flatMap(({ call, role }, site) =>
      wrappingsOf(call, WRAPPERS[role](site), role === 'test' ? options : {}),
    );
  return {
    text: wrapRanges(parsed.text, [...preludeOf(parsed, options), ...wrappings]),
    tests: tests.length,
  };
}

/** A second run in the same process would compare with, or write, another snapshot. */
const SNAPSHOT = /\btoMatch\w*Snapshot\b|\btoThrowErrorMatching\w*Snapshot\b|\.snapshot\(|\.matchSnapshot\(/g;

type Role = 'test' | 'scope' | 'beforeEach' | 'afterEach';

const WRAPPERS: Readonly<Record<Role, (site: number) => string>> = {
  test: (site) => `__ralph.test(${site},`,
  scope: () => '__ralph.scope(',
  beforeEach: () => '__ralph.hook("beforeEach",',
  afterEach: () => '__ralph.hook("afterEach",',
};

const ROLE_BY_NAME: Readonly<Record<string, Role>> = {
  it: 'test',
  test: 'test',
  specify: 'test',
  fit: 'test',
  describe: 'scope',
  suite: 'scope',
  context: 'scope',
  fdescribe: 'scope',
  beforeEach: 'beforeEach',
  afterEach: 'afterEach',
};

const RUNNER_MODULES = new Set([
  'node:test',
  'vitest',
  '@jest/globals',
  'mocha',
  'ava',
  'bun:test',
  'tape',
  'tap',
]);
/** Runners whose tests get an object with assertions that do not throw. */
const TAP_MODULE = /\b(?:from|import|require\()\s*['"](?:tape|tap|tape-[\w-]+)['"]/;

/** Local names of the runner's functions: the usual names, renamed imports and results of `test.extend`. */
function roleNames(body: readonly Node[]): Map<string, Role> {
  const names = new Map(Object.entries(ROLE_BY_NAME));
  for (const node of body) {
    if (node.type === 'ImportDeclaration' && RUNNER_MODULES.has(node.source.value)) {
      for (const specifier of node.specifiers) addImport(names, specifier);
    }
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init && (isExtension(init, names) || isUvuSuite(init, body)))
        names.set(id.name, 'test');
    }
  }
  return names;
}

/** `suite('name')` of uvu: the result declares tests. */
function isUvuSuite(init: Node, body: readonly Node[]): boolean {
  const [name, ...rest] = init.type === 'CallExpression' ? pathOf(init.callee) : [];
  return (
    name === 'suite' &&
    rest.length === 0 &&
    body.some((node) => node.type === 'ImportDeclaration' && node.source.value === 'uvu')
  );
}

function addImport(names: Map<string, Role>, specifier: Node): void {
  if (specifier.type === 'ImportDefaultSpecifier') names.set(specifier.local.name, 'test');
  if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') return;
  const role = ROLE_BY_NAME[specifier.imported.name];
  if (role !== undefined) names.set(specifier.local.name, role);
}

/** `test.extend({…})`, or `require('node:test')` itself. */
function isExtension(init: Node, names: ReadonlyMap<string, Role>): boolean {
  if (init.type !== 'CallExpression') return false;
  const [argument] = init.arguments;
  if (init.callee.type === 'Identifier' && init.callee.name === 'require') {
    return argument?.type === 'StringLiteral' && RUNNER_MODULES.has(argument.value);
  }
  const path = pathOf(init.callee);
  return path.at(-1) === 'extend' && names.get(path[0]!) === 'test';
}

/** The role of a call: `test.each(table)(…)` and `t.test(…)` declare a test, `test.describe(…)` a suite. */
function roleOf(call: CallExpression, names: ReadonlyMap<string, Role>): Role | undefined {
  const path = pathOf(call.callee);
  const [root, ...rest] = path;
  if (root === undefined || rest.includes('extend')) return undefined;
  if (rest[0] === 'before' || rest[0] === 'after') {
    return rest[1] === 'each' && names.has(root) ? `${rest[0]}Each` : undefined;
  }
  const named = rest.map((name) => ROLE_BY_NAME[name]).find((role) => role !== undefined);
  if (named === undefined || names.has(root)) return named ?? names.get(root);
  return call.arguments.some(isFunctionText) ? named : undefined;
}

/** The names in a callee, from its root: test, concurrent, each for `test.concurrent.each([…])`; '' where there is no name. */
function pathOf(callee: Node): string[] {
  switch (callee.type) {
    case 'Identifier':
      return [callee.name];
    case 'MemberExpression':
      return [...pathOf(callee.object), callee.property.type === 'Identifier' ? callee.property.name : ''];
    case 'CallExpression':
      return pathOf(callee.callee);
    case 'TaggedTemplateExpression':
      return pathOf(callee.tag);
    default:
      return [''];
  }
}

/** Wrappings of the arguments that are functions, and of names after the first argument, which may be functions. */
function wrappingsOf(
  call: CallExpression,
  before: string,
  { testTimeoutMs }: { testTimeoutMs?: number },
): Wrapping[] {
  const last = call.arguments.length - 1;
  return call.arguments.flatMap((argument, index) => {
    if (!isFunctionText(argument) && !(argument.type === 'Identifier' && (index > 0 || last === 0)))
      return [];
    const limit = testTimeoutMs !== undefined && index === 1 && last === 1 ? `,${testTimeoutMs}` : '';
    return [{ start: startOf(argument), end: endOf(argument), before, after: `)${limit}` }];
  });
}

function isFunctionText({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

function isInside(inner: Node, outer: Node): boolean {
  return inner !== outer && startOf(outer) < startOf(inner) && endOf(inner) <= endOf(outer);
}

function preludeOf(parsed: ParsedSource, { runtime, planFile }: WrapOptions): Wrapping[] {
  const [first] = parsed.tree.program.body;
  const start = first === undefined ? parsed.text.length : startOf(first);
  const path = JSON.stringify(runtime);
  // Test runners replace the modules that a test file gets; the main context of the process has the real ones.
  const outside = `process.getBuiltinModule("node:vm").runInThisContext('process.getBuiltinModule("node:module")')`;
  const load = `${outside}.createRequire(${path})(${path})`;
  const before = `var __ralph=${load}.startTrials(globalThis,${JSON.stringify(planFile)}${TAP_MODULE.test(parsed.text) ? ',true' : ''});`;
  return [uncheckTypes(parsed), { start, end: start, before, after: '' }];
}
