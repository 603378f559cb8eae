import type { Node } from '@babel/types';
import { boundNames, memberOf, walk } from '../acceptance/syntax.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';
import { expectedIn, programOf } from './expected-names.ts';

/** A test that takes what it compares with from the rows of a table, and the table's name. */
export interface TabledName {
  readonly test: string;
  readonly isTable: boolean;
  readonly name: string;
}

/** Methods that go through the rows of a table. */
const EACH = /^(?:forEach|map|every|some|each|for)$/;

/**
 * Tests that go through a table of the given names and compare the result of a call with a part of each row: `for (const { cents,
 * text } of examples) assert.equal(format(cents), text)`. Such a table holds what the tests expect.
 */
export function tabledNames(text: string, file: string, names: ReadonlySet<string>): TabledName[] {
  if (names.size === 0) return [];
  const rows = new Map<string, string>();
  for (const top of programOf(file, text))
    walk(top, (node) => {
      const { table, bound } = rowsOf(node) ?? {};
      const name = table && boundNames(table).find((it) => names.has(it));
      if (name !== undefined) for (const own of bound ?? []) rows.set(own, name);
    });
  if (rows.size === 0) return [];
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      const found: { readonly name: string }[] = [];
      walk(statement, (node) => {
        if (node.type !== 'CallExpression') return;
        const expected = expectedIn(node).flatMap(boundNames);
        const name = expected.flatMap((it) => rows.get(it) ?? [])[0];
        if (name !== undefined && comparesCall(node, new Set(rows.keys()))) found.push({ name });
      });
      return found;
    }),
  ).map((it) => ({ ...it, isTable: false }));
}

interface Rows {
  readonly table: Node;
  readonly bound: readonly string[];
}

/** The table that a loop or a callback goes through, and the names for its rows. */
function rowsOf(node: Node): Rows | undefined {
  if (node.type === 'ForOfStatement') {
    const { left, right } = node;
    const bound =
      left.type === 'VariableDeclaration' ? left.declarations.flatMap(({ id }) => boundNames(id)) : [];
    return { table: right, bound };
  }
  if (node.type !== 'CallExpression') return undefined;
  const member = memberOf(node.callee);
  const [callback] = node.arguments;
  if (member === undefined || !EACH.test(member.name) || !callback || !('params' in callback))
    return undefined;
  return { table: member.object, bound: (callback.params as Node[]).flatMap(boundNames) };
}

/** Whether what an assertion looks at is the result of a call with a part of the row. */
function comparesCall(assertion: Node, rows: ReadonlySet<string>): boolean {
  let isFound = false;
  const expected = assertion.type === 'CallExpression' ? expectedIn(assertion) : [];
  walk(assertion, (node, parents) => {
    if (node.type !== 'CallExpression' || node === assertion) return;
    if ([...parents, node].some((it) => expected.includes(it))) return;
    const isAssertion = node.callee.type === 'Identifier' && /^(?:expect|assert|t)$/.test(node.callee.name);
    if (!isAssertion && node.arguments.flatMap(boundNames).some((it) => rows.has(it))) isFound = true;
  });
  return isFound;
}
