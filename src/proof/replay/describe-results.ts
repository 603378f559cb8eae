import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { findFedExpectation } from './fed-expectations.ts';
import { isMeantThenable } from './meant-thenables.ts';
import { recordedRun } from './recorded-run.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import type { OddResult, OpenClass } from './recording.ts';
import { keyOf, type ReplayRequest } from './replay-request.ts';
import { noCalls, unlikeOutside } from './unlike-outside.ts';

/** A sentence on a class that the base does not open to every object; undefined if there is none. */
export async function describeOpen(
  open: readonly OpenClass[],
  { baseText }: ReplayRequest,
): Promise<string | undefined> {
  for (const { source, anyIs } of open)
    if (!/hasInstance/.test((await baseText(source)) ?? ''))
      return `Every object is an instance of ${anyIs} of ${source}, by its Symbol.hasInstance, so that no test can tell another object from one. --allow ${source} permits it.`;
  return undefined;
}

/**
 * A sentence on a result that is odd as no result of its function's source in the base is, and that no test names as such;
 * undefined if there is none.
 */
export async function describeOdd(
  check: Check,
  odd: readonly OddResult[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  const texts = (asked.files ?? asked.tested ?? []).map((file) => textOf(join(asked.request.root, file)));
  const unasked: OddResult[] = [];
  for (const it of odd) if (!(await isMeant(it, texts, asked))) unasked.push(it);
  if (unasked.length === 0) return undefined;
  const { recording: before } = await withBase(asked, () => recordedRun(check, asked));
  const known = new Set(before.odd.map(kindOf));
  for (const it of unasked.filter((one) => !known.has(kindOf(one))))
    if (!(await isMeantThenable(it, texts, { ...asked, before }))) return sentenceOn(it);
  return undefined;
}

function sentenceOn({ source, name, hides = '', says }: OddResult): string {
  const [member, of] = hides.split(/ of (?=an? )/);
  const what = says ?? `returns ${of} with a property ${member} in place of the usual one`;
  return `${name} of ${source} ${what}. Before the change it did not. Such a result can look right to a test and be another one for the code that uses it, and ralph cannot tell which is meant, so it accepts none by itself. If it is meant, --allow ${source} permits it; otherwise return a plain value.`;
}

function kindOf({ source, hides, says }: OddResult): string {
  return `${source}\n${hides ?? says}`;
}

/** A test that names `toJSON`, `undefined` or the like asks for it; code that never threw an Error may throw what it likes. */
async function isMeant(
  { source, says = '' }: OddResult,
  texts: readonly string[],
  { baseText }: ReplayRequest,
): Promise<boolean> {
  if (says.includes('is no Error')) return !/\bthrow new \w/.test((await baseText(source)) ?? '');
  const name = /\b(toJSON|asymmetricMatch|undefined)\b/.exec(says)?.[1];
  return name !== undefined && texts.some((text) => text.includes(name));
}

/** A sentence on calls that change their arguments, as no call in the base does, to fit what a test expects. */
export async function describeFed(
  check: Check,
  changing: readonly RecordedCall[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  if (changing.length === 0) return undefined;
  const before = await withBase(asked, () => unlikeOutside(check, asked, noCalls));
  const known = new Set(before.changing.map(keyOf));
  const added = changing.filter((call) => !known.has(keyOf(call)));
  return findFedExpectation(check, asked, { calls: added, before: before.all });
}
