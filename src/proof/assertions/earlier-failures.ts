import { join } from 'node:path';
import type { Node, Statement } from '@babel/types';
import type { Diagnostic, Evaluation } from '../../schema/generated.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { walk } from '../acceptance/syntax.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';
import { isFunction } from './assertion-places.ts';

/**
 * Ids of tests that failed before and fail now at an assertion which they passed before: it stands in front of the one that failed
 * then, in the body of the test, which runs from its first line to its last. `root`: absolute path of the tree.
 */
export function findEarlierFailures(
  root: string,
  { before, now }: Readonly<Record<'before' | 'now', Pick<Evaluation, 'diagnostics'>>>,
): readonly string[] {
  const then = new Map(before.diagnostics.map((failure) => [failure.test_id, failure]));
  const ids = now.diagnostics.flatMap((failure) => {
    const { test_id: id, file } = failure;
    const known = id === undefined ? undefined : then.get(id);
    // An error that is no comparison, such as a time-out, comes where it likes.
    const isCompared = failure.expected !== undefined && failure.received !== undefined;
    if (known === undefined || file === undefined || known.file !== file || !isCompared) return [];
    const [is, was] = [placeOf(failure), placeOf(known)];
    if (is === undefined || was === undefined || !isBefore(is, was)) return [];
    return standsInFront(textOf(join(root, file)), is, was) ? [id!] : [];
  });
  return [...new Set(ids)];
}

/** 1-based, as in a stack trace. */
interface Position {
  readonly line: number;
  readonly column: number;
}

function placeOf({ line, column }: Diagnostic): Position | undefined {
  return line === undefined ? undefined : { line, column: column ?? 1 };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** Whether both places are in statements of the body of one test, and the first in an earlier one than the second. */
function standsInFront(source: string, first: Position, second: Position): boolean {
  let found = false;
  foundInTests(source, (body) => {
    const [one, other] = [first, second].map((place) => body.findIndex((it) => isAt(it, place)));
    if (one !== -1 && other !== -1 && one! < other! && isStraight(body[one!]!) && isStraight(body[other!]!))
      found = true;
    return [];
  });
  return found;
}

function isAt({ loc }: Statement, { line, column }: Position): boolean {
  if (!loc) return false;
  const [start, end, at] = [loc.start, loc.end, { line, column: column - 1 }];
  return !isBefore(at, start) && isBefore(at, end);
}

/** An expression or a declaration without a function, which could run more than once. */
function isStraight(statement: Statement): boolean {
  let hasFunction = false;
  walk(statement, (node: Node) => {
    if (isFunction(node)) hasFunction = true;
  });
  return /^(ExpressionStatement|VariableDeclaration)$/.test(statement.type) && !hasFunction;
}
