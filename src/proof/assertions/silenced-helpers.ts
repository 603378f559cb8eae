import { join } from 'node:path';
import type { Function as Helper, IfStatement, Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { walk } from '../acceptance/syntax.ts';
import { programOf } from './expected-names.ts';
import { isUsedByProduct, namesFrom, type SourceJudgesRequest } from './source-judges.ts';
import { findSilentCall } from './wrong-calls.ts';

/**
 * A sentence on a changed helper that only tests use and that threw for two values that differ, or did nothing but throw for some
 * values: a wrong call of it in a test that passed before and passes now fails with the sources of the base, and passes with the
 * changed ones. Undefined if there is none. At most two runs for each source with such a helper; the files are put back.
 */
export async function findSilencedHelper(
  check: Check,
  asked: SourceJudgesRequest,
): Promise<string | undefined> {
  const { request, sources, baseText, isJudge } = asked;
  for (const source of sources) {
    const then = await baseText(source);
    const helpers =
      then === undefined ? [] : changedHelpers(source, then, textOf(join(request.root, source)));
    const names = helpers.filter((name) => !isUsedByProduct(name, source, { root: request.root, isJudge }));
    if (names.length === 0) continue;
    const found = await findSilentCall(check, asked, (text, file) => {
      const imported = namesFrom(text, file, [source]);
      return new Set(names.filter((name) => imported.has(name)));
    });
    if (found === undefined) continue;
    const wrong = found.isUndefined ? 'undefined' : 'a value that differs';
    return `"${found.test}" of ${found.file} passes with ${wrong}, too: ${found.name} of ${source}, which only tests use, threw for ${wrong}, and does not any more. Put it back; if it is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

/**
 * Functions with another text than before that threw where two of their parameters differ, or that did nothing but throw for
 * some values of their only one, and throw for none any more.
 */
export function changedHelpers(path: string, before: string, now: string): string[] {
  const after = functionsIn(path, now);
  return [...functionsIn(path, before)].flatMap(([name, { text, node }]) => {
    const other = after.get(name);
    if (other?.text === text) return [];
    const isSilenced =
      node.params.length === 1
        ? onlyChecks(node) && !(other !== undefined && throws(other.node.body))
        : throwsForOthers(node);
    return isSilenced ? [name] : [];
  });
}

interface Found {
  readonly text: string;
  readonly node: Helper;
}

function functionsIn(path: string, text: string): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  const note = (name: string, node: Helper): void => {
    found.set(name, { text: text.slice(node.start!, node.end!).replaceAll(/\s+/g, ' '), node });
  };
  for (const top of programOf(path, text))
    walk(top, (node) => {
      if (node.type === 'FunctionDeclaration' && node.id) note(node.id.name, node);
      if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
      const { init } = node;
      if (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
        note(node.id.name, init);
    });
  return found;
}

/** Whether a function throws under a condition that asks whether two of its parameters are equal. */
function throwsForOthers({ params, body }: Helper): boolean {
  const names = namesOf(params);
  let asks = false;
  walk(body, (node) => {
    if (node.type === 'IfStatement' && throws(node) && comparesTwo(node.test, names)) asks = true;
  });
  return asks;
}

function namesOf(params: readonly Node[]): string[] {
  return params.flatMap((it) => (it.type === 'Identifier' ? [it.name] : []));
}

/**
 * Whether a function of one parameter does nothing but throw for some of its values: a function that also acts may come to do
 * nothing for what is absent.
 */
function onlyChecks({ params, body }: Helper): boolean {
  const [name] = namesOf(params);
  if (body.type !== 'BlockStatement') return false;
  const guards = body.body.filter((it) => it.type === 'IfStatement');
  const isAllowed = body.body.every(
    (it) =>
      guards.includes(it as IfStatement) || it.type === 'VariableDeclaration' || isPlainReturn(it, name),
  );
  return (
    isAllowed &&
    guards.every(isGuard) &&
    guards.some(({ test }) => mentions(test, name) && !asksForAbsence(test))
  );
}

/** `if (…) throw …;`, also in a block, and without an `else`. */
function isGuard({ consequent, alternate }: IfStatement): boolean {
  const body = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  return !alternate && body.length === 1 && body[0]!.type === 'ThrowStatement';
}

function isPlainReturn(statement: Node, name: string | undefined): boolean {
  if (statement.type !== 'ReturnStatement') return false;
  const { argument } = statement;
  return (
    !argument || /Literal$/.test(argument.type) || (argument.type === 'Identifier' && argument.name === name)
  );
}

/** `!a`, `a === undefined`, `a == null`, `a === ''`, and several of them. */
function asksForAbsence(test: Node): boolean {
  if (test.type === 'LogicalExpression') return asksForAbsence(test.left) && asksForAbsence(test.right);
  if (test.type === 'UnaryExpression' && test.operator === '!') return isPlace(test.argument);
  if (test.type !== 'BinaryExpression' || !/^[!=]==?$/.test(test.operator)) return false;
  const { left, right } = test;
  return isNothing(right) || isNothing(left);
}

function isPlace(node: Node): boolean {
  return node.type === 'Identifier' || (node.type === 'MemberExpression' && isPlace(node.object));
}

function isNothing(node: Node): boolean {
  if (node.type === 'NullLiteral') return true;
  if (node.type === 'Identifier') return node.name === 'undefined';
  if (node.type === 'NumericLiteral') return node.value === 0;
  return node.type === 'StringLiteral' && /^(?:undefined)?$/.test(node.value);
}

function throws(node: Node): boolean {
  let isThrown = false;
  walk(node, (inner) => {
    if (inner.type === 'ThrowStatement') isThrown = true;
  });
  return isThrown;
}

/** Bounds are none of these: a function of the product may come to accept more. */
function comparesTwo(test: Node, names: readonly string[]): boolean {
  let isFound = false;
  walk(test, (node) => {
    const sides =
      node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)
        ? [node.left, node.right]
        : node.type === 'CallExpression'
          ? node.arguments
          : [];
    const named = sides.map((side) => names.find((name) => mentions(side, name)));
    if (new Set(named.filter((name) => name !== undefined)).size > 1) isFound = true;
  });
  return isFound;
}

function mentions(side: Node, name: string | undefined): boolean {
  let isMentioned = false;
  walk(side, (node) => {
    if (node.type === 'Identifier' && node.name === name) isMentioned = true;
  });
  return isMentioned;
}
