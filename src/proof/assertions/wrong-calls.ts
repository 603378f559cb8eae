import type { CallExpression, Node } from '@babel/types';
import type { Check } from '../../ports.ts';
import { calledName } from '../../repair/syntax/walk.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { isLabel, walk } from '../acceptance/syntax.ts';
import { withBase } from '../base-sources.ts';
import { foundInTests, withWrong, type WrongExpectation } from '../canaries/wrong-expectations.ts';
import { flippedFiles, passes, untyped } from '../flipped-tests.ts';
import { rootOf } from './expected-names.ts';
import { otherLiteral, type SourceJudgesRequest } from './source-judges.ts';

/** A wrong call of a helper, in a test. */
export interface WrongCall extends WrongExpectation {
  /** Name of the helper. */
  readonly name: string;
  /** True if the wrong value is `undefined`, in place of the only argument; otherwise it is another literal. */
  readonly isUndefined: boolean;
}

/** A wrong call, and the test file in which it stands. */
export interface SilentCall extends WrongCall {
  readonly file: string;
}

/**
 * A wrong call of a helper, in a test that passed before and passes now, that no longer fails: the test ends with the call, it
 * passes with the changed sources, and it fails with those of the base. The call is given literals only, so nothing but the
 * helper itself decides. `namesIn`: the helpers in question that a test file imports. Undefined if there is none. At most two
 * runs of the files with such calls; the files are put back.
 */
export async function findSilentCall(
  check: Check,
  asked: SourceJudgesRequest,
  namesIn: (text: string, file: string) => ReadonlySet<string>,
): Promise<SilentCall | undefined> {
  const { request, before, now } = asked;
  const passed = new Set(before.filter(({ status }) => status === 'passed').map(({ id }) => id));
  // Every test that passes before and now counts: none of them was repaired.
  const both = { request, before: [], now: now.filter(({ id }) => passed.has(id)) };
  const files = flippedFiles(both, (text, file) => wrongCalls(text, namesIn(text, file)));
  if (files.length === 0) return undefined;
  const texts = new Map(
    files.map(({ file, source, changes }) => {
      const firsts = changes.flatMap((of) => of.slice(0, 1));
      return [file, untyped(file, withWrong(source, firsts))];
    }),
  );
  const own = { ...request, fresh: true, files: [...texts.keys()] };
  const run = () => withTexts(request.root, texts, () => check.run(own));
  const report = await run();
  const silent = files.flatMap(({ file, changes }) =>
    changes.flatMap(([first]) =>
      first !== undefined && passes(file, first, report) ? [{ ...first, file }] : [],
    ),
  );
  if (silent.length === 0) return undefined;
  const base = await withBase(asked, run);
  return silent.find((call) => !passes(call.file, call, base));
}

/** Changes of tests that end them with a wrong call of one of the helpers, in place of the statement that calls it. */
export function wrongCalls(text: string, names: ReadonlySet<string>): WrongCall[] {
  if (names.size === 0) return [];
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      if (statement.type !== 'ExpressionStatement' && statement.type !== 'ReturnStatement') return [];
      const given = statement.type === 'ReturnStatement' ? statement.argument : statement.expression;
      const call = given?.type === 'AwaitExpression' ? given.argument : given;
      if (call?.type !== 'CallExpression') return [];
      const name = [calledName(call.callee), rootOf(call.callee)].find(
        (it) => it !== undefined && names.has(it),
      );
      const wrong = name === undefined ? undefined : wrongCall(call, text);
      if (name === undefined || wrong === undefined) return [];
      // A body that is one expression has no statement in the text.
      const to = statement.end ?? call.end!;
      const rest = typeof statement.end === 'number' ? `${text.slice(call.end!, to)}; return;` : '';
      return [{ ...wrong, from: call.start!, to, text: wrong.text + rest, name }];
    }),
  );
}

/** The call with a wrong value, and with another literal in place of all that is no literal: these may be of the product. */
function wrongCall(call: CallExpression, text: string): Pick<WrongCall, 'text' | 'isUndefined'> | undefined {
  const isUndefined = isOneExpression(call.arguments);
  const change = isUndefined
    ? { from: call.arguments[0]!.start!, to: call.arguments[0]!.end!, text: 'undefined' }
    : call.arguments.map((node) => otherValue(node, text)).find((it) => it !== undefined);
  if (change === undefined) return undefined;
  const other = isUndefined ? '1000003' : 'undefined';
  const others = argumentsOf(call).flatMap((node) =>
    node.start === change.from || isLiteral(node) ? [] : [{ from: node.start!, to: node.end!, text: other }],
  );
  const wrong = [...others, change]
    .sort((a, b) => b.from - a.from)
    .reduce((code, { from, to, text: value }) => code.slice(0, from) + value + code.slice(to), text);
  const cut = text.length - call.end!;
  return { text: wrong.slice(call.start!, wrong.length - cut), isUndefined };
}

function isOneExpression(given: readonly Node[]): boolean {
  return given.length === 1 && given[0]!.type !== 'SpreadElement';
}

/** A literal in place of one that differs from it, also of an array or object with parts that are computed. */
function otherValue(node: Node, text: string) {
  if (isLiteral(node)) return otherLiteral(node, text);
  const other = OTHERS[node.type];
  return other === undefined ? undefined : { from: node.start!, to: node.end!, text: other };
}

/** In place of arrays and objects with parts that are computed. */
const OTHERS: Readonly<Record<string, string>> = {
  ArrayExpression: '[1000003]',
  ObjectExpression: '{ other: 1000003 }',
};

/** The arguments of a call, and of the calls on whose results it is made: `expectValue(a).toBe(b)`. */
function argumentsOf(node: Node): readonly Node[] {
  if (node.type === 'CallExpression') return [...argumentsOf(node.callee), ...node.arguments];
  return node.type === 'MemberExpression' ? argumentsOf(node.object) : [];
}

/** A literal, or an array or object of literals. */
function isLiteral(node: Node): boolean {
  let isPlain = true;
  walk(node, (inner, parents) => {
    if (!PLAIN.has(inner.type) && !isLabel(inner, parents.at(-1))) isPlain = false;
  });
  return isPlain;
}

const PLAIN: ReadonlySet<string> = new Set([
  ...['StringLiteral', 'NumericLiteral', 'BooleanLiteral', 'NullLiteral', 'BigIntLiteral', 'RegExpLiteral'],
  ...['ArrayExpression', 'ObjectExpression', 'ObjectProperty', 'TemplateLiteral', 'TemplateElement'],
  ...['UnaryExpression'],
]);
