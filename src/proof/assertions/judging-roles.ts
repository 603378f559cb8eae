import type { CallExpression, Function as Code, Node, Statement } from '@babel/types';
import { memberOf, walk } from '../acceptance/syntax.ts';
import { calledName } from '../../repair/syntax/walk.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';
import type { OfTest } from '../flipped-tests.ts';
import { expectedIn, programOf, rootOf } from './expected-names.ts';

/**
 * How a function of the product can judge for a test: it throws or asserts, tells whether two values agree, calls what it is
 * given, or says as a matcher whether a value passes.
 */
export type Role = 'asserts' | 'compares' | 'iterates' | 'matches';

/** A function of a source, and how it can judge. */
export interface JudgingFunction {
  readonly node: Code;
  readonly roles: ReadonlySet<Role>;
}

/** The named functions of a text. */
export function functionsIn(path: string, text: string): ReadonlyMap<string, JudgingFunction> {
  const found = new Map<string, JudgingFunction>();
  const note = (name: string, node: Code): void => void found.set(name, { node, roles: rolesOf(node) });
  for (const top of programOf(path, text))
    walk(top, (node) => {
      if (node.type === 'FunctionDeclaration' && node.id) note(node.id.name, node);
      if (node.type === 'ObjectMethod' && node.key.type === 'Identifier') note(node.key.name, node);
      const [id, init] =
        node.type === 'VariableDeclarator'
          ? [node.id, node.init]
          : node.type === 'ObjectProperty'
            ? [node.key, node.value]
            : node.type === 'AssignmentExpression'
              ? [memberOf(node.left) && { type: 'Identifier', name: memberOf(node.left)!.name }, node.right]
              : [];
      const isCode = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      if (id?.type === 'Identifier' && isCode) note((id as { name: string }).name, init);
    });
  return found;
}

function rolesOf(node: Code): ReadonlySet<Role> {
  const roles = new Set<Role>();
  const names = new Set(node.params.flatMap((it) => (it.type === 'Identifier' ? [it.name] : [])));
  walk(node.body, (inner) => {
    if (inner.type === 'ThrowStatement' || isAssertion(inner)) roles.add('asserts');
    if (inner.type === 'ObjectProperty' && inner.key.type === 'Identifier' && inner.key.name === 'pass')
      roles.add('matches');
    if (inner.type !== 'CallExpression') return;
    const given = CALLS.test(memberOf(inner.callee)?.name ?? '') ? inner.arguments : [inner.callee];
    if (given.some((it) => it.type === 'Identifier' && names.has(it.name))) roles.add('iterates');
  });
  if (node.params.length > 1 && returnsAnswer(node)) roles.add('compares');
  return roles;
}

/** Methods that call what they are given. */
const CALLS = /^(?:forEach|map|flatMap|some|every|filter|find\w*|reduce\w*|then|call|apply)$/;

const ASSERTIONS = /^(?:assert|expect|t|should|chai)$/;

/** A call by which code judges: `assert.equal(…)`, `expect(a).toBe(b)`. */
export function isAssertion(node: Node): boolean {
  return node.type === 'CallExpression' && ASSERTIONS.test(rootOf(node.callee) ?? '');
}

/** Whether everything that a function returns is true or false. */
function returnsAnswer({ body }: Code): boolean {
  if (body.type !== 'BlockStatement') return isAnswer(body);
  const returned: (Node | null | undefined)[] = [];
  walk(body, (node, parents) => {
    const isInner = parents.some(({ type }) => /Function|ObjectMethod/.test(type));
    if (node.type === 'ReturnStatement' && !isInner) returned.push(node.argument);
  });
  return returned.length > 0 && returned.every((it) => it !== null && it !== undefined && isAnswer(it));
}

const ANSWERS =
  /^(?:is[A-Z]?\w*|has\w*|every|some|includes|startsWith|endsWith|test|deepEqual|isDeepStrictEqual)$/;

function isAnswer(node: Node): boolean {
  switch (node.type) {
    case 'BooleanLiteral':
      return true;
    case 'ParenthesizedExpression':
      return isAnswer(node.expression);
    case 'UnaryExpression':
      return node.operator === '!';
    case 'BinaryExpression':
      return /^(?:[=!]==?|[<>]=?|in|instanceof)$/.test(node.operator);
    case 'LogicalExpression':
      return isAnswer(node.left) && isAnswer(node.right);
    case 'ConditionalExpression':
      return isAnswer(node.consequent) && isAnswer(node.alternate);
    case 'CallExpression':
      return ANSWERS.test(calledName(node.callee) ?? '');
    default:
      return false;
  }
}

/** A use of a function by which a test judges. */
export interface JudgingUse extends OfTest {
  readonly name: string;
}

/** Functions by which the tests of a file can judge. */
export interface Judging {
  /** Functions that the file imports, and how they can judge. */
  readonly imported: ReadonlyMap<string, ReadonlySet<Role>>;
  readonly matchers: ReadonlySet<string>;
  /** Name of what writes the snapshots; undefined if that is the runner alone. */
  readonly serializer: string | undefined;
}

/** The tests of a text that judge by one of these. */
export function judgingUses(text: string, { imported, matchers, serializer }: Judging): JudgingUse[] {
  if (imported.size + matchers.size === 0 && serializer === undefined) return [];
  return foundInTests(text, (body) => {
    const found = new Set<string>();
    for (const statement of body) {
      for (const name of judgedBy(statement, imported)) found.add(name);
      walk(statement, (node) => {
        if (node.type !== 'CallExpression') return;
        const member = memberOf(node.callee)?.name ?? '';
        if (matchers.has(member) && isAssertion(node)) found.add(member);
        if (serializer !== undefined && /Snapshot$/.test(member)) found.add(serializer);
      });
    }
    return [...found].map((name) => ({ name }));
  }).map((it) => ({ ...it, isTable: false }));
}

/** Names of the functions by which a statement of a test judges. */
function judgedBy(statement: Statement, imported: ReadonlyMap<string, ReadonlySet<Role>>): string[] {
  const found: string[] = [];
  const has = (name: string | undefined, role: Role): name is string =>
    name !== undefined && imported.get(name)?.has(role) === true;
  const call = callOf(statement);
  if (call !== undefined && !isAssertion(call)) {
    const names = [calledName(call.callee), rootOf(call.callee)];
    found.push(...names.filter((name) => has(name, 'asserts') && call.arguments.length > 0).map((it) => it!));
    if (call.arguments.some((it) => /Function/.test(it.type) && asserts(it)))
      found.push(...names.filter((name) => has(name, 'iterates')).map((it) => it!));
  }
  walk(statement, (node) => {
    if (node.type !== 'CallExpression' || !isAssertion(node)) return;
    const called = namesCalled(node);
    found.push(...called.filter((name) => has(name, 'compares')));
    // The same function makes both sides alike.
    const expected = expectedIn(node).flatMap(namesCalled);
    const actual = actualIn(node).flatMap(namesCalled);
    found.push(...expected.filter((name) => imported.has(name) && actual.includes(name)));
  });
  return found;
}

/** The call that a statement consists of, also behind `await`. */
function callOf(statement: Statement): CallExpression | undefined {
  const given =
    statement.type === 'ExpressionStatement'
      ? statement.expression
      : statement.type === 'ReturnStatement'
        ? statement.argument
        : undefined;
  const call = given?.type === 'AwaitExpression' ? given.argument : given;
  return call?.type === 'CallExpression' ? call : undefined;
}

function asserts(node: Node): boolean {
  let isFound = false;
  walk(node, (inner) => {
    if (isAssertion(inner)) isFound = true;
  });
  return isFound;
}

function namesCalled(node: Node): string[] {
  const names: string[] = [];
  walk(node, (inner) => {
    if (inner.type === 'CallExpression' && inner.callee.type === 'Identifier') names.push(inner.callee.name);
  });
  return names;
}

/** The actual value of an assertion: its first argument, or that of `expect`. */
function actualIn({ callee, arguments: given }: CallExpression): readonly Node[] {
  if (rootOf(callee) !== 'expect') return given.slice(0, 1);
  const found: Node[] = [];
  walk(callee, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier') found.push(...node.arguments);
  });
  return found;
}
