import type { Node } from '@babel/types';
import { bindingsOf } from '../syntax/bindings.ts';
import { endOf, startOf } from '../syntax/parse.ts';
import { isRead } from '../syntax/reads.ts';
import { bare, isFunction, type Site } from '../syntax/walk.ts';
import { compactText, moreOften, offsetBefore, type Change } from './change.ts';
import { hasUselessBound } from './bounds.ts';
import { isLiteralNode } from './literal-value.ts';

/** The code that an edit makes useless: unreachable, never true, or a parameter that is no longer read. */
export function makesDead(change: Change): string | undefined {
  const before = change.sitesBefore.flatMap((site) =>
    deadAt(site, (node) => compactText(change.before, node)),
  );
  const after = change.sitesAfter.flatMap((site) => deadAt(site, (node) => compactText(change.after, node)));
  const [dead] = moreOften(before, after);
  return dead ?? ignoredInput(change);
}

type TextOf = (node: Node) => string;

/** A description of each piece of code at the site that never runs or never matters. */
function deadAt({ node }: Site, textOf: TextOf): string[] {
  switch (node.type) {
    case 'BlockStatement':
    case 'Program':
      return [...afterEnd(node.body, textOf), ...needlessEnds(node.body, textOf)];
    case 'SwitchCase':
      return [...afterEnd(node.consequent, textOf), ...needlessEnds(node.consequent, textOf)];
    case 'IfStatement':
      if (isLiteralNode(node.test)) return [`condition ${textOf(node.test)}`];
      if (node.alternate && textOf(node.consequent) === textOf(node.alternate)) return ['two equal branches'];
      if (!node.alternate && isEmpty(node.consequent)) return [`condition ${textOf(node.test)}`];
      return [];
    case 'ConditionalExpression':
      if (isLiteralNode(node.test)) return [`condition ${textOf(node.test)}`];
      return textOf(node.consequent) === textOf(node.alternate) ? ['two equal branches'] : [];
    case 'WhileStatement':
      return isFalse(node.test) ? ['a loop that never runs'] : [];
    case 'ForStatement':
      return neverRuns(node, textOf) ? ['a loop that never runs'] : [];
    case 'LogicalExpression':
      return isConstantPart(node, textOf) || hasUselessBound(node, textOf)
        ? [`condition ${textOf(node)}`]
        : [];
    case 'BinaryExpression':
      return isSelfCompared(node, textOf) ? [`condition ${textOf(node)}`] : [];
    case 'AssignmentExpression':
      return node.operator === '=' && textOf(node.left) === textOf(node.right)
        ? ['an assignment to itself']
        : [];
    default:
      return [];
  }
}

function afterEnd(statements: readonly Node[], textOf: TextOf): string[] {
  const end = statements.findIndex(ends);
  if (end < 0) return [];
  return statements
    .slice(end + 1)
    .filter(({ type }) => type !== 'FunctionDeclaration' && type !== 'EmptyStatement')
    .map((node) => `unreachable ${textOf(node).slice(0, 40)}`);
}

function isEmpty(node: Node): boolean {
  return node.type === 'EmptyStatement' || (node.type === 'BlockStatement' && node.body.length === 0);
}

/** Conditions of which it does not matter whether they hold: `if (found) break; break;`. */
function needlessEnds(statements: readonly Node[], textOf: TextOf): string[] {
  return statements.slice(0, -1).flatMap((node, index) => {
    if (node.type !== 'IfStatement' || node.alternate) return [];
    const { consequent } = node;
    const only = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
    const isSame = only.length === 1 && ends(only[0]!) && textOf(only[0]!) === textOf(statements[index + 1]!);
    return isSame ? [`condition ${textOf(node.test)}`] : [];
  });
}

/** Whether the statement after it is never reached. */
function ends(node: Node): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return true;
    case 'BlockStatement':
      return node.body.some(ends);
    case 'IfStatement':
      return (
        ends(node.consequent) &&
        node.alternate !== null &&
        node.alternate !== undefined &&
        ends(node.alternate)
      );
    default:
      return false;
  }
}

function isFalse(node: Node): boolean {
  const inner = bare(node);
  return inner.type === 'BooleanLiteral' && !inner.value;
}

/** `for (i = n; i < n; …)`: false at the first test. */
function neverRuns({ init, test }: Extract<Node, { type: 'ForStatement' }>, textOf: TextOf): boolean {
  if (test?.type !== 'BinaryExpression' || init === null || init === undefined) return false;
  const starts =
    init.type === 'VariableDeclaration'
      ? init.declarations.map(({ id, init: value }) => [textOf(id), value ? textOf(value) : ''])
      : init.type === 'AssignmentExpression'
        ? [[textOf(init.left), textOf(init.right)]]
        : [];
  return starts.some(
    ([name, value]) =>
      textOf(test.left) === name && textOf(test.right) === value && /^(?:[<>]|!==?)$/.test(test.operator),
  );
}

function isConstantPart(
  { left, right, operator }: Extract<Node, { type: 'LogicalExpression' }>,
  textOf: TextOf,
): boolean {
  if (textOf(bare(left)) === textOf(bare(right))) return true;
  const isBoolean = (node: Node): boolean => bare(node).type === 'BooleanLiteral';
  return operator !== '??' && (isBoolean(left) || isBoolean(right));
}

/** `x === x`, `x < x`, `x - x`, `x % x`; not `x !== x`, which asks for NaN. */
function isSelfCompared(
  { left, right, operator }: Extract<Node, { type: 'BinaryExpression' }>,
  textOf: TextOf,
): boolean {
  return /^(?:===?|[<>]=?|[-/%])$/.test(operator) && textOf(left) === textOf(right) && !isLiteralNode(left);
}

/** A parameter that a function read before and does not read after the change. */
function ignoredInput(change: Change): string | undefined {
  const before = parametersOf(change.sitesBefore, (offset) => offset);
  const after = parametersOf(change.sitesAfter, (offset) => offsetBefore(change, offset));
  for (const [owner, { read, isCallback }] of before) {
    const now = after.get(owner);
    if (now === undefined || read.size === 0) continue;
    const lost = [...read].filter((name) => now.all.has(name) && !now.read.has(name));
    // A callback need not read all that it is given.
    const isIgnored = isCallback ? now.read.size === 0 : lost.length > 0;
    if (isIgnored && lost.length > 0) return `parameter ${lost[0]}`;
  }
  return undefined;
}

interface Parameters {
  readonly all: Set<string>;
  readonly read: Set<string>;
  /** Whether the function is an argument of a call. */
  readonly isCallback: boolean;
}

/** Parameters by the place of their function; functions without a place are left out. */
function parametersOf(
  sites: readonly Site[],
  placeOf: (offset: number) => number | undefined,
): Map<number, Parameters> {
  const callbacks = new Set(
    sites.filter(({ node, key }) => isFunction(node) && key === 'arguments').map(({ node }) => startOf(node)),
  );
  const reads = Map.groupBy(
    sites.flatMap((site) => (site.node.type === 'Identifier' && isRead(site) ? [site.node] : [])),
    (node) => node.name,
  );
  const functions = new Map<number, Parameters>();
  for (const { name, kind, owner, start, end } of bindingsOf(sites)) {
    const place = placeOf(owner);
    if (kind !== 'param' || place === undefined) continue;
    const known = functions.get(place) ?? {
      all: new Set(),
      read: new Set(),
      isCallback: callbacks.has(owner),
    };
    known.all.add(name);
    const isUsed = reads.get(name)?.some((node) => start <= startOf(node) && endOf(node) <= end) === true;
    if (isUsed) known.read.add(name);
    functions.set(place, known);
  }
  return functions;
}
