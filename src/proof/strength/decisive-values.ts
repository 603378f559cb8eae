import type { Node } from '@babel/types';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import type { ChangedSource } from './changed-source.ts';

/** A comparison between two offsets of a text. */
export type DecisiveRange = readonly [start: number, end: number];

/** What `typeof` gives. */
const TYPE = /^(?:undefined|object|boolean|number|bigint|string|symbol|function)$/;
const EQUALITY = /^[!=]==?$/;
const SEARCH = /^(?:includes|startsWith|endsWith|indexOf|has)$/;
const SHORTEST_TEXT = 2;
const SMALLEST_NUMBER = 10;

/**
 * Comparisons with a text or a number that the file did not have, and members of a new name that stand in for nothing
 * (`it.factor ?? 1`): what hangs on one is not reached by chance. Short texts, small numbers and names of types decide in
 * the code of everybody.
 */
export function decisiveValues({ parsed, blocks }: ChangedSource): DecisiveRange[] {
  const isChanged = (line: number): boolean =>
    blocks.some((it) => it.line <= line && line < it.line + it.lines);
  const unchanged = parsed.text.split('\n').filter((_, at) => !isChanged(at + 1));
  const known = [...unchanged, ...blocks.flatMap(({ before }) => before)].join('\n');
  return sitesOf(parsed.tree.program).flatMap(({ node, parent }) => {
    if (!isChanged(node.loc!.start.line)) return [];
    const member = parent?.node.type === 'LogicalExpression' ? memberOf(node) : undefined;
    const values = [...comparedWith(node).filter(isRare), ...(member === undefined ? [] : [member])];
    const isNew = values.some((value) => !known.includes(String(value)));
    return isNew ? [[startOf(node), endOf(node)] as const] : [];
  });
}

/** Texts and numbers that a node compares something with. */
function comparedWith(node: Node): (string | number)[] {
  if (node.type === 'BinaryExpression' && EQUALITY.test(node.operator))
    return [node.left, node.right].flatMap(valueOf);
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return [];
  const { callee } = node;
  const isSearch =
    (callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression') &&
    callee.property.type === 'Identifier' &&
    SEARCH.test(callee.property.name);
  return isSearch ? node.arguments.flatMap(valueOf) : [];
}

function memberOf(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined;
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined;
}

function valueOf(node: Node): (string | number)[] {
  if (node.type === 'StringLiteral' || node.type === 'NumericLiteral') return [node.value];
  const [quasi] = node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis : [];
  return quasi === undefined ? [] : [quasi.value.cooked ?? quasi.value.raw];
}

function isRare(value: string | number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= SMALLEST_NUMBER;
  return value.length >= SHORTEST_TEXT && !TYPE.test(value);
}
