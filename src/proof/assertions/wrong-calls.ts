import type { Node } from '@babel/types';
import type { Check } from '../../ports.ts';
import { calledName } from '../../repair/syntax/walk.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { withBase } from '../base-sources.ts';
import { foundInTests, withWrong, type WrongExpectation } from '../canaries/wrong-expectations.ts';
import { flippedFiles, passes, untyped } from '../flipped-tests.ts';
import { rootOf } from './expected-names.ts';
import { otherLiteral, type SourceJudgesRequest } from './source-judges.ts';

/** A wrong call of a helper, in a test. */
export interface WrongCall extends WrongExpectation {
  /** Name of the helper. */
  readonly name: string;
}

/** A wrong call, and the test file in which it stands. */
export interface SilentCall extends WrongCall {
  readonly file: string;
}

/**
 * A test that passed before and passes now, also with a wrong value for a helper that does not let it pass with the sources of the base. `namesIn`:
 * the helpers in question that a test file imports. Undefined if there is none. Two runs of the files with such calls; the files
 * are put back.
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

/** Changes of statements of tests that call one of the helpers: another literal, or `undefined` in place of the only argument. */
function wrongCalls(text: string, names: ReadonlySet<string>): WrongCall[] {
  if (names.size === 0) return [];
  return foundInTests(text, (body) =>
    body.flatMap((statement) => {
      if (statement.type !== 'ExpressionStatement' && statement.type !== 'ReturnStatement') return [];
      const given = statement.type === 'ReturnStatement' ? statement.argument : statement.expression;
      const isAwaited = given?.type === 'AwaitExpression';
      const call = isAwaited ? given.argument : given;
      if (call?.type !== 'CallExpression') return [];
      const name = [calledName(call.callee), rootOf(call.callee)].find(
        (it) => it !== undefined && names.has(it),
      );
      if (name === undefined) return [];
      const change = isOneExpression(call.arguments)
        ? { from: call.arguments[0]!.start!, to: call.arguments[0]!.end!, text: 'undefined' }
        : call.arguments.map((argument) => otherLiteral(argument, text)).find((it) => it !== undefined);
      return change === undefined ? [] : [{ ...change, name }];
    }),
  );
}

function isOneExpression(given: readonly Node[]): boolean {
  return given.length === 1 && given[0]!.type !== 'SpreadElement';
}
