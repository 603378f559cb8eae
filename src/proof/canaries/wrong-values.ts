import type { Expression, Node, ObjectExpression, Statement } from '@babel/types';

/** A change of a text. */
export interface Change {
  /** Offsets in the text, and the text to put there. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Functions of `assert`, chai's `assert`, node:test's `t.assert` and ava's `t` that compare for equality. */
const EQUALITIES = new Set([...['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'lengthOf', 'is']]);
/** Functions of the same objects that test one value for truth. */
const TRUTHS = new Set(['ok', 'isTrue', 'isOk', 'true', 'truthy']);
const MATCHERS = new Set([
  ...['toBe', 'toEqual', 'toStrictEqual', 'toMatchObject', 'toHaveLength', 'toHaveBeenCalledTimes'],
  ...['equal', 'equals', 'eql', 'eq', 'lengthOf'],
]);
/** Matchers without an argument that hold for a value or for its opposite, never for both. */
const OPPOSITES = new Set(['toBeNull', 'toBeUndefined', 'toBeDefined', 'toBeTruthy', 'toBeFalsy', 'toBeNaN']);
const LINKS = new Set(['resolves', 'to', 'be', 'deep', 'is', 'and', 'have', 'that']);

/** Another value than the given one under strict, loose, shallow and deep equality, and of the same kind where there is one. */
const OTHER =
  "((v) => typeof v === 'number' ? (Number.isFinite(v) && v + 1 !== v ? v + 1 : 0) : typeof v === 'string' ? `${v}s` : typeof v === 'boolean' ? !v : typeof v === 'bigint' ? v + 1n : Array.isArray(v) ? [...v, 0] : v !== null && typeof v === 'object' ? { ...v, other: 1 } : 0)";

/** The changes of an assertion after which it fails for every right value; none for another statement. */
export function changesOf(statement: Statement, source: string): Change[] {
  if (statement.type !== 'ExpressionStatement') return [];
  const isAwaited = statement.expression.type === 'AwaitExpression';
  const call = unwrapped(statement.expression);
  if (call.type !== 'CallExpression') return [];
  const [first, second] = call.arguments;
  if (call.callee.type === 'Identifier') return call.callee.name === 'assert' ? negated(first, source) : [];
  if (call.callee.type !== 'MemberExpression') return [];
  const { object, property, computed } = call.callee;
  if (property.type !== 'Identifier' || computed) return [];
  if (isAssert(object)) {
    if (TRUTHS.has(property.name)) return negated(first, source);
    return EQUALITIES.has(property.name) ? otherThan(second, source) : [];
  }
  if (!isExpectation(object, isAwaited)) return [];
  if (OPPOSITES.has(property.name) && call.arguments.length === 0) {
    const at = property.start!;
    return [{ from: at, to: at, text: 'not.' }];
  }
  return MATCHERS.has(property.name) && call.arguments.length === 1 ? otherThan(first, source) : [];
}

/** `assert`, `chai.assert`, `t.assert`, or the `t` of ava. */
function isAssert(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'assert' || node.name === 't';
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  return node.property.name === 'assert' || (node.property.name === 'strict' && isAssert(node.object));
}

/** `expect(x)`, or a chain on it that keeps its meaning: `.to.be`, and `.resolves` if awaited, but not `.not`. */
function isExpectation(node: Node, isAwaited: boolean): boolean {
  if (node.type === 'CallExpression') {
    const { callee, arguments: given } = node;
    return callee.type === 'Identifier' && callee.name === 'expect' && given.length >= 1;
  }
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  const { name } = node.property;
  return LINKS.has(name) && (name !== 'resolves' || isAwaited) && isExpectation(node.object, isAwaited);
}

function negated(node: Node | undefined, source: string): Change[] {
  const range = rangeOf(node);
  return range === undefined || isFalsy(node!)
    ? []
    : [{ ...range, text: `!(${source.slice(range.from, range.to)})` }];
}

/** `assert(0)` compares nothing: it marks a place that a passing test never reaches. */
function isFalsy(node: Node): boolean {
  if (node.type === 'NullLiteral') return true;
  const isLiteral = ['NumericLiteral', 'BooleanLiteral', 'StringLiteral'].includes(node.type);
  return isLiteral && !(node as { readonly value?: unknown }).value;
}

function otherThan(node: Node | undefined, source: string): Change[] {
  const range = rangeOf(node);
  if (range === undefined || node === undefined) return [];
  const inner = literalChange(node, source);
  if (inner !== undefined) return [inner];
  return [{ ...range, text: `${OTHER}(${source.slice(range.from, range.to)})` }];
}

/** A plausible other literal; undefined for what is no literal. */
function literalChange(node: Node, source: string): Change | undefined {
  const range = rangeOf(node)!;
  if (node.type === 'NumericLiteral')
    return node.value + 1 === node.value ? undefined : { ...range, text: String(node.value + 1) };
  if (node.type === 'BooleanLiteral') return { ...range, text: String(!node.value) };
  if (node.type === 'NullLiteral') return { ...range, text: '0' };
  if (node.type === 'StringLiteral') return { ...range, text: JSON.stringify(otherText(node.value)) };
  if (node.type === 'ArrayExpression') {
    const at = range.from + 1;
    return { from: at, to: at, text: node.elements.length === 0 ? '0' : '0, ' };
  }
  return node.type === 'ObjectExpression' ? objectChange(node, source) : undefined;
}

/** Changes the first value that is a literal, or else adds a property. */
function objectChange(node: ObjectExpression, source: string): Change {
  const plain = node.properties.flatMap((it) =>
    it.type === 'ObjectProperty' && !it.computed && it.key.type === 'Identifier'
      ? [{ name: it.key.name, value: it.value }]
      : [],
  );
  const isPlain = plain.length === node.properties.length;
  const areUnique = new Set(plain.map(({ name }) => name)).size === plain.length;
  const found = isPlain && areUnique ? plain.map(({ value }) => literalChange(value, source)) : [];
  const at = node.start! + 1;
  return found.find((it) => it !== undefined) ?? { from: at, to: at, text: ' other: 1,' };
}

/** `a` → `b`; the last character is exchanged, so that the length stays. */
function otherText(text: string): string {
  const last = text.at(-1);
  if (last === undefined) return 'a';
  if (/[a-y0-8]/i.test(last)) return text.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1);
  return `${text}s`;
}

function rangeOf(node: Node | undefined): Pick<Change, 'from' | 'to'> | undefined {
  if (node === undefined || node.type === 'SpreadElement') return undefined;
  const { start, end } = node;
  return typeof start === 'number' && typeof end === 'number' ? { from: start, to: end } : undefined;
}

/** The awaited expression of an `await`; every other expression itself. */
export function unwrapped(node: Expression): Expression {
  return node.type === 'AwaitExpression' ? node.argument : node;
}
