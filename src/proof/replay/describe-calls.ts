import type { Tampering } from '../../schema/generated.ts';
import type { RepeatableCall } from './repeat-calls.ts';
import { shownArguments } from './shown-values.ts';

/** Tampering for calls with another result outside of the test runner. */
export function differs(file: string, calls: readonly RepeatableCall[]): Tampering {
  const detail = `${describeCall(file, calls)} returns under test what it does not return outside of a test runner. The code must not know that it is tested. --allow permits it in a file.`;
  return { kind: 'replay_differs', file, detail: detail.slice(0, 2_000) };
}

/** Tampering for calls that are right under test only. */
export function lapses(file: string, calls: readonly RepeatableCall[]): Tampering {
  const detail = `${describeCall(file, calls)} returns under test what is expected and, once it is in use (later, after many calls, beside other calls, on a terminal), what it returned before the change. --allow permits it in a file.`;
  return { kind: 'replay_differs', file, detail: detail.slice(0, 2_000) };
}

function describeCall(file: string, calls: readonly RepeatableCall[]): string {
  const { name, args, on, kind } = calls[0]!;
  if (kind === 'value') return `The export ${name} of ${file}`;
  const called = name === '' ? 'A function that it returned' : name;
  const of = on === undefined ? `of ${file}` : `of an object that ${file} made`;
  return `${called} ${of}, for the arguments ${shownArguments({ args })},`;
}
