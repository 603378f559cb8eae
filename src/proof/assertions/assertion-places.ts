import type { CallExpression, Node, Statement } from '@babel/types';
import { walk } from '../acceptance/syntax.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';

/** An assertion in a callback or a loop of a test, which can run only if the code under test makes it run. */
export interface AssertionPlace {
  /** Name of the test: suite names and test name, joined by ` > `. For a table it is the title with its placeholders. */
  readonly test: string;
  readonly isTable: boolean;
  /** Offsets of the assertion in the text. */
  readonly from: number;
  readonly to: number;
  /** True for a statement, false for an expression that is returned. */
  readonly isStatement: boolean;
}

/** Words by which a title says that something does not happen. */
const DENYING =
  /\b(no|not|never|nothing|without|ignor\w*|skip\w*|empty|none|cannot|only|unless|un\w+ed)\b|n't\b/i;
/** `A link without a path has …`: what is missing is given, and something is said of the rest. */
const GIVEN_WITHOUT =
  /\bwithout (?:an? |any |the |its )?[\w-]+ (?=(?:has|have|is|are|gets?|becomes?|returns?|gives?|takes?|keeps?|means?|counts?|stays?)\b)/i;

/** Whether a title says that something does not happen. */
export function denies(title: string): boolean {
  return DENYING.test(title.replace(GIVEN_WITHOUT, ''));
}

/** Words by which a name or a title says that something goes wrong. */
export const OF_ERRORS =
  /\berr\b|error|fail|reject|throw|abort|cancel|catch|close|timeout|unhandled|exception|warn|invalid/i;
const NEGATIVE = new RegExp(`${DENYING.source}|${OF_ERRORS.source}`, 'i');
/** Functions that call back later than a test waits. */
const TIMERS = /^(setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)$/;
/** Assertions that are there so as not to be reached. */
const UNREACHABLE = /^(fail|unreachable|notReached|ifError|plan|end|pass|assertions|hasAssertions)$/;

/**
 * The assertions in callbacks and loops of the tests in a text. Left out are those which may honestly not run: behind a
 * condition, in a handler of errors, in a function that only has a name, in a test that says that something does not happen,
 * and those that cannot hold. Empty for a text that cannot be parsed, and for assertions of the repository's own.
 */
export function nestedAssertions(source: string): AssertionPlace[] {
  const found = foundInTests(source, (body) => body.flatMap((it) => assertionsIn(it)));
  return found.filter(({ test }) => !denies(test) && !OF_ERRORS.test(test));
}

/** The text, with a statement in front of each place. */
export function withMarks(
  source: string,
  places: readonly AssertionPlace[],
  markOf: (place: AssertionPlace) => string,
): string {
  return [...places]
    .sort((a, b) => b.from - a.from)
    .reduce((text, place) => {
      const { from, to, isStatement } = place;
      const marked = `${markOf(place)}, ${text.slice(from, to)}`;
      return text.slice(0, from) + (isStatement ? marked : `(${marked})`) + text.slice(to);
    }, source);
}

type Place = Omit<AssertionPlace, 'test' | 'isTable'>;

function assertionsIn(statement: Statement): Place[] {
  const places: Place[] = [];
  walk(statement, (node, parents) => {
    const expression = expressionOf(node);
    const isJudging = expression !== undefined && (isAssertion(expression) || isOfEvery(node, parents));
    if (!isJudging || !mustRun([...parents, node])) return;
    const { start, end } = expression;
    if (typeof start !== 'number' || typeof end !== 'number') return;
    places.push({ from: start, to: end, isStatement: node.type === 'ExpressionStatement' });
  });
  return places;
}

/** `expect(list.every((it) => …)).toBe(true)`: what all items of an empty list have proves nothing. */
function isOfEvery(node: Node, parents: readonly Node[]): boolean {
  const call = parents.at(-1);
  if (node.type !== 'ArrowFunctionExpression' || call?.type !== 'CallExpression') return false;
  const at = parents.findLastIndex((it) => isAssertion(it));
  const outside = parents.slice(at + 1).some((it) => isFunction(it) || it.type === 'UnaryExpression');
  const isDenied = /^(not\w*|isFalse|toBeFalsy|notOk|falsy)$/.test(nameOf(parents[at] ?? node) ?? '');
  const isFalse = parents[at]?.type === 'CallExpression' && parents[at].arguments.some(isFalseLiteral);
  return nameOf(call) === 'every' && at !== -1 && !outside && !isDenied && !isFalse;
}

function isFalseLiteral(node: Node): boolean {
  return node.type === 'BooleanLiteral' && !node.value;
}

/** The expression of a statement, or that which a function returns. */
function expressionOf(node: Node): Node | undefined {
  if (node.type === 'ExpressionStatement') return node.expression;
  if (node.type === 'ReturnStatement') return node.argument ?? undefined;
  const isShort = node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement';
  return isShort ? node.body : undefined;
}

/** `assert(…)`, `assert.equal(…)`, `t.is(…)`, `expect(…).toBe(…)`, with something of the test's in it. */
export function isAssertion(expression: Node): boolean {
  const node = expression.type === 'AwaitExpression' ? expression.argument : expression;
  const name = nameOf(node);
  const root = rootOf(node) ?? '';
  if (!/^(assert|expect|t|should)$/.test(root) || UNREACHABLE.test(name ?? '')) return false;
  let hasValue = false;
  walk(node, (inner, parents) => {
    const isOwn = inner.type === 'Identifier' && /^(assert|expect|should)$/.test(inner.name);
    const isArgument = inner.type === 'Identifier' && !isOwn && inner.name !== root;
    const parent = parents.at(-1);
    const isMember = parent?.type === 'MemberExpression' && parent.property === inner && !parent.computed;
    if (isArgument && !isMember && inner.name !== 'undefined') hasValue = true;
  });
  return hasValue;
}

/** The name of the function that an expression calls last. */
function nameOf(node: Node): string | undefined {
  const callee = node.type === 'CallExpression' ? node.callee : node;
  const isMember = callee.type === 'MemberExpression' && callee.property.type === 'Identifier';
  return isMember && callee.property.type === 'Identifier' ? callee.property.name : undefined;
}

function rootOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return rootOf(node.callee);
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

export const CONDITIONS = new Set([
  ...['IfStatement', 'SwitchStatement', 'ConditionalExpression', 'LogicalExpression', 'CatchClause'],
  ...['TryStatement', 'WhileStatement', 'DoWhileStatement', 'ClassDeclaration', 'ClassExpression'],
]);
const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement']);

/** Whether an assertion is in a loop or a callback, and in nothing else that may leave it out. */
function mustRun(parents: readonly Node[]): boolean {
  let isNested = false;
  for (const [at, node] of parents.entries()) {
    if (CONDITIONS.has(node.type) || leaves(node)) return false;
    if (LOOPS.has(node.type)) isNested = true;
    if (!isFunction(node)) continue;
    const call = callTaking(node, parents.slice(0, at));
    if (call === undefined || handlesErrors(call, node)) return false;
    isNested = true;
  }
  return isNested;
}

/** Whether an assertion is in a callback whose errors nothing in the test catches, and that does not wait for anything. */
export function isCalledBack(parents: readonly Node[]): boolean {
  let isInCallback = false;
  for (const [at, node] of parents.entries()) {
    if (/^(TryStatement|CatchClause|Class\w+)$/.test(node.type)) return false;
    if (!isFunction(node)) continue;
    const call = callTaking(node, parents.slice(0, at));
    if (call === undefined || handlesErrors(call, node) || isNameOfExpect(call.callee)) return false;
    isInCallback = true;
  }
  return isInCallback && !waits(parents.at(-1)!);
}

/** `expect(() => …)`, which may expect an error. */
function isNameOfExpect(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'expect';
}

function waits(node: Node): boolean {
  let isWaiting = false;
  walk(node, ({ type }) => {
    if (/^(AwaitExpression|YieldExpression)$/.test(type)) isWaiting = true;
  });
  return isWaiting;
}

/** A block that may end before its last statement. */
function leaves(node: Node): boolean {
  if (node.type !== 'BlockStatement') return false;
  return node.body.some((it) => {
    if (it.type !== 'IfStatement') return false;
    let isLeft = false;
    walk(it, ({ type }) => {
      if (/^(Return|Break|Continue)Statement$/.test(type)) isLeft = true;
    });
    return isLeft;
  });
}

export function isFunction(node: Node): boolean {
  return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|ObjectMethod)$/.test(node.type);
}

/** The call that a function is an argument of, directly or in an object; undefined for a function that only has a name. */
export function callTaking(node: Node, parents: readonly Node[]): CallExpression | undefined {
  const names: string[] = [];
  let inner = node;
  for (const parent of parents.toReversed()) {
    if (parent.type === 'CallExpression' || parent.type === 'OptionalCallExpression')
      return names.some((name) => NEGATIVE.test(name)) || parent.callee === inner
        ? undefined
        : (parent as CallExpression);
    if (parent.type === 'NewExpression') return undefined;
    if (parent.type === 'ObjectProperty' && parent.key.type === 'Identifier') names.push(parent.key.name);
    if (!/^(ObjectProperty|ObjectExpression|ParenthesizedExpression|TS\w+Expression)$/.test(parent.type))
      return undefined;
    inner = parent;
  }
  return undefined;
}

/** `.catch(f)`, the second function of `.then`, a listener of errors, a timer, and a function that must throw. */
export function handlesErrors({ callee, arguments: given }: CallExpression, node: Node): boolean {
  const name = callee.type === 'Identifier' ? callee.name : (nameOf(callee) ?? '');
  if (NEGATIVE.test(name) || TIMERS.test(name)) return true;
  if (name === 'then' && given[1] === node) return true;
  const events = given.flatMap((it) => (it.type === 'StringLiteral' ? [it.value] : []));
  const { params = [] } = node as { readonly params?: readonly Node[] };
  const [first] = params;
  const isOfError =
    params.length === 1 && first?.type === 'Identifier' && /^(e|err|error|reason)$/i.test(first.name);
  return isOfError || events.some((event) => NEGATIVE.test(event));
}
