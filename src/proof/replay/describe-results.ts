import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { findFedExpectation } from './fed-expectations.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import type { HiddenMember, OpenClass } from './recording.ts';
import { keyOf, type ReplayRequest } from './replay-request.ts';
import { unlikeOutside } from './unlike-outside.ts';

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

/** A sentence on a result with hidden members that no result in the base has; undefined if there is none. */
export async function describeHidden(
  check: Check,
  hidden: readonly HiddenMember[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  if (hidden.length === 0) return undefined;
  const before = await withBase(asked, () => unlikeOutside(check, asked, false));
  const known = new Set(before.hidden.map(({ source, hides }) => `${source}\n${hides}`));
  const added = hidden.find(({ source, hides }) => !known.has(`${source}\n${hides}`));
  if (added === undefined) return undefined;
  const { source, name, hides } = added;
  return `${name} of ${source} returns an object that hides ${hides} behind a property of its own, so that a test compares another value than the code that uses it gets. Let the result be an ordinary one. --allow ${source} permits it.`;
}

/** A sentence on calls that change their arguments, as no call in the base does, to fit what a test expects. */
export async function describeFed(
  check: Check,
  changing: readonly RecordedCall[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  if (changing.length === 0) return undefined;
  const before = await withBase(asked, () => unlikeOutside(check, asked, false));
  const known = new Set(before.changing.map(keyOf));
  const added = changing.filter((call) => !known.has(keyOf(call)));
  return findFedExpectation(check, asked, added);
}
