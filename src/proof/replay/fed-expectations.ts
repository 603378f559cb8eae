import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { keyOf, type ReplayRequest } from './replay-request.ts';
import { instrumented } from './record-calls.ts';
import { encodeValue, decodeValue } from './call-values.ts';
import { createArgumentChanger, type ChangedCall } from './recorder/change-arguments.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';

/** With each of these changes, a test whose expectation comes from the arguments fails, or passes. */
const CHANGES: readonly (readonly [change: ChangedCall, mustFail: boolean])[] = [
  ['copied', true],
  ['other', false],
  ['restored', true],
  ['unanswered', true],
];

/** True for a call that changed its arguments. */
export function changesArguments({ result }: RecordedCall): boolean {
  return result?.includes('\nargs ') === true;
}

/**
 * A sentence on a function that changes its arguments, which it did not in the base, where no test needs that, because all pass
 * if the function gets copies, or where a test computes what it expects from them: it passes with any other content of the
 * arguments, and fails if the function gets copies of them, or if its result is withheld. Undefined if there is none. `calls` are those that changed their arguments as the base does not; `before`: all calls in the base.
 */
export async function findFedExpectation(
  check: Check,
  asked: ReplayRequest,
  { calls, before }: { readonly calls: readonly RecordedCall[]; readonly before: readonly RecordedCall[] },
): Promise<string | undefined> {
  const [first] = calls;
  if (first === undefined) return undefined;
  let failing: readonly string[] | undefined;
  for (const [change, mustFail] of CHANGES) {
    const failed = failuresOf(await runChanged(change, check, asked, { calls }));
    if (change === 'copied' && failed.length === 0) return describeUnasked(calls, before);
    failing = (failing ?? failed).filter((id) => failed.includes(id) === mustFail);
    if (failing.length === 0 || asked.request.signal.aborted) return undefined;
  }
  const fed = failing![0]!;
  const { source, name } = first;
  const test = fed === '' ? 'The command' : `The test "${fed.slice(0, 200)}"`;
  return `${test} computes what it expects from an argument that ${name} of ${source} changes, which it did not do before: with the argument as it was given, it fails. Leave the argument as it is; if the change of it is meant, --allow ${source} permits it.`;
}

/** Results of a call that is not finished yet: an error, or nothing. */
const UNFINISHED = /^throws |^\{"u":1\}$/;

/**
 * A function that gives back what it was given may be meant to change it, unless it gave back something else in the base; one that
 * gave back nothing there was not written yet.
 */
function describeUnasked(
  calls: readonly RecordedCall[],
  before: readonly RecordedCall[],
): string | undefined {
  const unasked = calls.find((call) => {
    const own = before.filter((one) => keyOf(one) === keyOf(call) && !UNFINISHED.test(one.result ?? ''));
    return call.isGiven !== true || (own.length > 0 && own.every(({ isGiven }) => isGiven !== true));
  });
  if (unasked === undefined) return undefined;
  const { source, name } = unasked;
  return `${name} of ${source} changes what its caller passes to it, which it did not do before, and no test asks for that: all pass if it gets copies. Leave the argument as it is; if the change of it is meant, --allow ${source} permits it.`;
}

/** Calls of functions of the changed sources, and what they are answered. */
export interface ChangedCalls {
  readonly calls: readonly RecordedCall[];
  /** By the names of functions and the texts of arguments. */
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A run of the tests in which calls of these functions are changed. The files are put back. */
export async function runChanged(
  change: ChangedCall,
  check: Check,
  { request, files, sources }: ReplayRequest,
  { calls, results = {} }: ChangedCalls,
): Promise<CheckReport> {
  const answers =
    change === 'answered'
      ? `, { encode: ${encodeValue.toString()}, decode: ${decodeValue.toString()}, results: ${JSON.stringify(results)} }`
      : '';
  const texts = new Map<string, string>();
  for (const source of sources) {
    const names = calls.filter((it) => it.source === source).map(({ name }) => name);
    const changer = `(${createArgumentChanger.toString()})(${JSON.stringify(change)}, ${JSON.stringify(names)}${answers})`;
    const text =
      names.length === 0 ? undefined : instrumented(source, textOf(join(request.root, source)), changer);
    if (text !== undefined) texts.set(source, text);
  }
  const own = { ...request, fresh: true, ...(files && { files }) };
  return withTexts(request.root, texts, () => check.run(own));
}

/** Names of the failed tests; an empty one for a command that failed without any. */
function failuresOf({ status, tests }: CheckReport): string[] {
  const failed = tests.filter((test) => test.status === 'failed').map(({ id }) => id);
  return failed.length === 0 && status === 'fail' ? [''] : failed;
}
