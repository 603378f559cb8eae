import type { Node, Statement } from '@babel/types';
import { memberOf, walk } from '../acceptance/syntax.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';
import { programOf } from './expected-names.ts';
import {
  denies,
  handlesErrors,
  isAssertion,
  isCalledBack,
  isFunction,
  callTaking,
  OF_ERRORS,
  type AssertionPlace,
} from './assertion-places.ts';

/** An assertion of a test in which some assertions may not run, or may fail for nothing. */
export interface WatchedPlace extends AssertionPlace {
  /** Whether the code under test calls it back, so that it could drop the error. */
  readonly isCalledBack: boolean;
  /** Whether it is there for a case that honest code avoids: an error, or what a condition on one leaves. */
  readonly isExcused: boolean;
  /** Whether it is in the body of the test itself, which every run reaches. */
  readonly isStraight: boolean;
}

/**
 * All assertions of the tests in a text of which one is in a callback or behind a condition, with those in functions of the text
 * that no other test uses. Left out are tests that say that
 * something does not happen. Empty for a text that cannot be parsed, and for assertions of the repository's own.
 */
export function watchedAssertions(source: string): WatchedPlace[] {
  const helpers = helpersIn(source);
  const users = new Map<string, number>();
  foundInTests(source, (body) => {
    for (const name of namesIn(body)) users.set(name, (users.get(name) ?? 0) + 1);
    return [];
  });
  const found = foundInTests(source, (body) => {
    const own = [...namesIn(body)].filter((name) => users.get(name) === 1);
    const all = [body, ...own.flatMap((name) => [helpers.get(name) ?? []])];
    const places = all.flatMap((part) => part.flatMap((it, at) => placesIn(it, part.slice(0, at), source)));
    return places.every(({ isStraight }) => isStraight) ? [] : places;
  });
  return found.filter(({ test }) => !denies(test));
}

/** The bodies of the functions that a text declares beside its tests, by their names. */
function helpersIn(source: string): ReadonlyMap<string, readonly Statement[]> {
  const found = new Map<string, readonly Statement[]>();
  for (const node of programOf('x.test.tsx', source)) {
    const named =
      node.type === 'VariableDeclaration'
        ? node.declarations.map(({ id, init }) => ({ id, fn: init }))
        : [{ id: 'id' in node ? node.id : undefined, fn: node }];
    for (const { id, fn } of named)
      if (fn && isFunction(fn) && 'body' in fn && id?.type === 'Identifier') {
        const body = fn.body as Node;
        found.set(id.name, body.type === 'BlockStatement' ? body.body : [asStatement(body)]);
      }
  }
  return found;
}

function asStatement(expression: Node): Statement {
  return { type: 'ExpressionStatement', expression } as Statement;
}

function namesIn(body: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of body)
    walk(statement, (node) => {
      if (node.type === 'Identifier') names.add(node.name);
    });
  return names;
}

type Place = Omit<WatchedPlace, 'test' | 'isTable'>;

function placesIn(statement: Statement, before: readonly Statement[], source: string): Place[] {
  const places: Place[] = [];
  walk(statement, (node, parents) => {
    for (const { expression, within } of expressionsOf(node)) {
      const { start, end } = expression;
      const isUsable = isAssertion(expression) && typeof start === 'number' && typeof end === 'number';
      if (!isUsable || /\byield\b/.test(source.slice(start, end))) continue;
      const around = [...parents, node, ...within];
      const guards = [...around.flatMap(guardsAt), ...before.filter((it) => it.type === 'IfStatement')];
      places.push({
        from: start,
        to: end,
        isStatement:
          node.type === 'ExpressionStatement' && within.length === 0 && typeof node.start === 'number',
        isCalledBack: isCalledBack(around),
        isExcused:
          guards.some((it) => isOfError(it, source)) ||
          around.some((it, at) => handles(it, around.slice(0, at), source.slice(start, end))),
        isStraight: guards.length === 0 && around.length === 1 && !before.some((it) => isBranch(it)),
      });
    }
  });
  return places;
}

interface Found {
  readonly expression: Node;
  /** Expressions that decide whether it is evaluated. */
  readonly within: readonly Node[];
}

/** What a statement or a short function evaluates, also behind `a && …` and in `a ? … : …`. */
function expressionsOf(node: Node): Found[] {
  if (node.type === 'ExpressionStatement') return partsOf(node.expression);
  if (node.type === 'ReturnStatement') return node.argument ? partsOf(node.argument) : [];
  const isShort = node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement';
  return isShort ? partsOf(node.body) : [];
}

function partsOf(node: Node): Found[] {
  const inside = (parts: readonly Node[]): Found[] =>
    parts.flatMap(partsOf).map((it) => ({ ...it, within: [node, ...it.within] }));
  if (node.type === 'LogicalExpression') return inside([node.right]);
  if (node.type === 'ConditionalExpression') return inside([node.consequent, node.alternate]);
  return [{ expression: node, within: [] }];
}

function isBranch({ type }: Node): boolean {
  return !/^(ExpressionStatement|VariableDeclaration)$/.test(type);
}

/** The conditions at a node: its own, and those of the statements of a block. */
function guardsAt(node: Node): Node[] {
  if (node.type === 'BlockStatement') return node.body.filter(({ type }) => type === 'IfStatement');
  return /^(If|Switch|While|DoWhile)Statement$|^(Logical|Conditional)Expression$/.test(node.type)
    ? [node]
    : [];
}

function isOfError(guard: Node, source: string): boolean {
  const test =
    'test' in guard ? (guard.test as Node) : 'discriminant' in guard ? guard.discriminant : undefined;
  const { start, end } = test ?? (guard.type === 'LogicalExpression' ? guard.left : guard);
  return OF_ERRORS.test(source.slice(start!, end!));
}

/** A handler of errors, unless its assertion compares something of the error: then one has to come. */
function handles(node: Node, parents: readonly Node[], assertion: string): boolean {
  if (node.type === 'CatchClause')
    return node.param?.type !== 'Identifier' || !assertion.includes(`${node.param.name}.`);
  if (!isFunction(node)) return false;
  const call = callTaking(node, parents);
  if (call === undefined || !handlesErrors(call, node)) return false;
  const { params = [] } = node as { readonly params?: readonly Node[] };
  const [first] = params;
  return (
    memberOf(call.callee)?.name !== 'catch' ||
    first?.type !== 'Identifier' ||
    !assertion.includes(`${first.name}.`)
  );
}
