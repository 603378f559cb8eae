import { join } from 'node:path';
import type { Function as Helper, Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { walk } from '../acceptance/syntax.ts';
import { programOf } from './expected-names.ts';
import { isUsedByProduct, namesFrom, type SourceJudgesRequest } from './source-judges.ts';
import { findSilentCall } from './wrong-calls.ts';

/**
 * A sentence on a changed helper that only tests use, that threw for two values that differ or for some values, and by which a test judges that
 * passed before and passes now: with a wrong value the test fails with the sources of the base, and passes with the changed ones.
 * Undefined if there is none. Two runs for each source with such a helper; the files are put back.
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
    return `"${found.test}" of ${found.file} passes whatever it compares with: ${found.name} of ${source}, which only tests use, threw for a value that differs, and does not any more. Put it back; if it is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

/** Functions with another text than before that threw where two of their parameters differ, or their only one is wrong. */
export function changedHelpers(path: string, before: string, now: string): string[] {
  const after = functionsIn(path, now);
  return [...functionsIn(path, before)].flatMap(([name, { text, node }]) =>
    after.get(name)?.text !== text && throwsForOthers(node) ? [name] : [],
  );
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

/** Whether a function throws under a condition that asks whether two of its parameters are equal, or anything of its only one. */
function throwsForOthers({ params, body }: Helper): boolean {
  const names = params.flatMap((it) => (it.type === 'Identifier' ? [it.name] : []));
  let asks = false;
  walk(body, (node) => {
    if (node.type !== 'IfStatement' || !throws(node)) return;
    if (params.length === 1 ? mentions(node.test, names[0]) : comparesTwo(node.test, names)) asks = true;
  });
  return asks;
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
