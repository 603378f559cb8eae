import { join } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { calledName } from '../../repair/syntax/walk.ts';
import { walk } from '../acceptance/syntax.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';
import { flippedFiles, passes, type CanaryInPlaceRequest } from '../flipped-tests.ts';
import { programOf } from './expected-names.ts';

/** Names and places of functions that compare a result with what is kept of it, and throw. */
const KEPT = /[Gg]olden|[Ss]napshot|[Ee]xpected|[Ee]xpectation/;
const TESTING = /(?:^|\/)testing\//;

/**
 * A sentence on a test that judges by a helper of the product alone, such as `matchesGolden(bill(order), file)`, where the change
 * edits that helper and the test fails with the helper as it was. Undefined if there is none. One run for each such source; the
 * files are put back.
 */
export async function findLoosenedHelper(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const { request, sources, baseText } = asked;
  for (const source of sources) {
    const before = await baseText(source);
    if (before === undefined) continue;
    const names = changedFunctions(source, before, textOf(join(request.root, source)));
    const helpers = new Set([...names].filter((name) => KEPT.test(name) || TESTING.test(source)));
    const files = helpers.size === 0 ? [] : flippedFiles(asked, (text) => judgingCalls(text, helpers));
    if (files.length === 0) continue;
    const own = { ...request, fresh: true, files: files.map(({ file }) => file) };
    const report = await withBase({ ...asked, sources: [source] }, () => check.run(own));
    for (const { file, changes } of files)
      for (const [place] of changes)
        if (place !== undefined && !passes(file, place, report))
          return `"${place.test}" of ${file} judges by ${place.name} of ${source}, which was changed, and fails with it as it was. So the comparison was changed to fit the result. Change what is tested; if it is meant, --allow ${source} permits it.`;
  }
  return undefined;
}

/** Names of the functions of a source that have another text than before. */
function changedFunctions(path: string, before: string, now: string): ReadonlySet<string> {
  const [then, after] = [before, now].map((text) => functionTexts(path, text));
  return new Set([...after!].flatMap(([name, text]) => (then!.get(name) === text ? [] : [name])));
}

function functionTexts(path: string, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const top of programOf(path, text))
    walk(top, (node) => {
      const shown = text.slice(node.start!, node.end!).replaceAll(/\s+/g, ' ');
      if (node.type === 'FunctionDeclaration' && node.id) found.set(node.id.name, shown);
      if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
        if (/Function/.test(node.init?.type ?? '')) found.set(node.id.name, shown);
    });
  return found;
}

/** Statements of tests that call one of the names with a result and what it is compared with. */
function judgingCalls(text: string, names: ReadonlySet<string>) {
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      const name = statement.type === 'ExpressionStatement' ? judgedBy(statement.expression) : undefined;
      return name !== undefined && names.has(name) ? [{ name }] : [];
    }),
  ).map((it) => ({ ...it, isTable: false }));
}

function judgedBy(expression: Node): string | undefined {
  const node = expression.type === 'AwaitExpression' ? expression.argument : expression;
  return node.type === 'CallExpression' && node.arguments.length > 1 ? calledName(node.callee) : undefined;
}
