import { join } from 'node:path';
import type { Function as Helper, Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { calledName } from '../../repair/syntax/walk.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { walk } from '../acceptance/syntax.ts';
import { withBase } from '../base-sources.ts';
import { foundInTests, withWrong } from '../canaries/wrong-expectations.ts';
import { flippedFiles, passes, untyped } from '../flipped-tests.ts';
import { programOf } from './expected-names.ts';
import { isUsedByProduct, namesFrom, otherLiteral, type SourceJudgesRequest } from './source-judges.ts';

/**
 * A sentence on a changed helper that only tests use, that threw for two values that differ, and by which a test judges that passed
 * before and passes now: with a wrong value the test fails with the sources of the base, and passes with the changed ones.
 * Undefined if there is none. Two runs for each source with such a helper; the files are put back.
 */
export async function findSilencedHelper(
  check: Check,
  asked: SourceJudgesRequest,
): Promise<string | undefined> {
  const { request, sources, baseText, isJudge, before, now } = asked;
  const passed = new Set(before.filter(({ status }) => status === 'passed').map(({ id }) => id));
  // Every test that passes before and now counts: none of them was repaired.
  const both = { request, before: [], now: now.filter(({ id }) => passed.has(id)) };
  for (const source of sources) {
    const then = await baseText(source);
    const helpers =
      then === undefined ? [] : changedHelpers(source, then, textOf(join(request.root, source)));
    const names = helpers.filter((name) => !isUsedByProduct(name, source, { root: request.root, isJudge }));
    if (names.length === 0) continue;
    const files = flippedFiles(both, (text, file) => {
      const imported = namesFrom(text, file, [source]);
      return wrongCalls(text, new Set(names.filter((name) => imported.has(name))));
    });
    if (files.length === 0) continue;
    const texts = new Map(
      files.map(({ file, source: text, changes }) => [
        file,
        untyped(
          file,
          withWrong(
            text,
            changes.flatMap((of) => of.slice(0, 1)),
          ),
        ),
      ]),
    );
    const own = { ...request, fresh: true, files: [...texts.keys()] };
    const run = () => withTexts(request.root, texts, () => check.run(own));
    const report = await run();
    const silent = files.flatMap(({ file, changes }) =>
      changes.flatMap(([first]) =>
        first !== undefined && passes(file, first, report) ? [{ file, first }] : [],
      ),
    );
    if (silent.length === 0) continue;
    const base = await withBase(asked, run);
    const found = silent.find(({ file, first }) => !passes(file, first, base));
    if (found === undefined) continue;
    const { file, first } = found;
    return `"${first.test}" of ${file} passes whatever it compares with: ${first.name} of ${source}, which only tests use, threw for a value that differs, and does not any more. Put it back; if it is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

/** Functions with another text than before that threw where two of their parameters differ. */
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

/** Whether a function throws under a condition that asks whether two of its parameters are equal. */
function throwsForOthers({ params, body }: Helper): boolean {
  const names = params.flatMap((it) => (it.type === 'Identifier' ? [it.name] : []));
  let asks = false;
  walk(body, (node) => {
    if (node.type === 'IfStatement' && throws(node) && comparesTwo(node.test, names)) asks = true;
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

function mentions(side: Node, name: string): boolean {
  let isMentioned = false;
  walk(side, (node) => {
    if (node.type === 'Identifier' && node.name === name) isMentioned = true;
  });
  return isMentioned;
}

/** Changes of literals that a statement of a test gives to one of the helpers as the value to compare with. */
function wrongCalls(text: string, names: ReadonlySet<string>) {
  if (names.size === 0) return [];
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      if (statement.type !== 'ExpressionStatement' && statement.type !== 'ReturnStatement') return [];
      const given = statement.type === 'ReturnStatement' ? statement.argument : statement.expression;
      const call = given?.type === 'AwaitExpression' ? given.argument : given;
      if (call?.type !== 'CallExpression' || call.arguments.length < 2) return [];
      const name = calledName(call.callee);
      if (name === undefined || !names.has(name)) return [];
      const change = call.arguments
        .map((argument) => otherLiteral(argument, text))
        .find((it) => it !== undefined);
      return change === undefined ? [] : [{ ...change, name }];
    }),
  );
}
