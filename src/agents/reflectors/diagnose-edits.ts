import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, filesOf, type Evidence } from './evidence.ts';
import { lookFirst, nextPlace } from './next-place.ts';
import {
  capitalise,
  describeFailure,
  describeResult,
  failureName,
  joinList,
  renderFunctionPlace,
  renderPlace,
} from './phrases.ts';

/** Rules for attempts whose edits took effect: how the failures changed shows where the edits are wrong. */
export function diagnoseEdits(evidence: Evidence): Diagnosis | undefined {
  return (
    endless(evidence) ??
    partial(evidence) ??
    boundary(evidence) ??
    elsewhere(evidence) ??
    brokeTests(evidence)
  );
}

const NOTHING_THERE =
  /(?:Cannot (?:read|set) propert(?:y|ies)|is not iterable|Cannot convert undefined|undefined is not|null is not|(?:null|undefined) \(reading)/;
const BOUNDARY_NAME =
  /\b(empty|zero|null|undefined|nan|negative|boundar(y|ies)|edge|single|missing|leading|trailing|first|last|maximum|minimum|no (items|elements|arguments)|whitespace|blank)\b/i;

function endless(evidence: Evidence): Diagnosis | undefined {
  const { failures, fresh } = evidence;
  const failure = failures[0];
  if (failure?.type !== 'timeout') return undefined;
  const edit = blamedHunk(evidence);
  const mine = fresh.includes(failure) && edit !== undefined ? renderPlace(edit) : undefined;
  return {
    category: 'logic_error',
    rootCause: `${capitalise(describeFailure(failure))} does not terminate${mine === undefined ? '' : ` since my edit at ${mine}`}.`,
    because: `A loop whose condition stays true, or a promise that is never settled, keeps ${failureName(failure)} running until its time limit.`,
    next: `find out what should end the loop or settle the promise ${mine === undefined ? `that ${failureName(failure)} waits for` : `at ${mine}`}, and fix that before any value`,
    lesson: '',
    strength: 0.6,
  };
}

function boundary(evidence: Evidence): Diagnosis | undefined {
  const { failures, difference, places } = evidence;
  const failure = failures.find((one) => isBoundary(one, evidence));
  if (failure === undefined) return undefined;
  const place = places[0];
  const nothing = NOTHING_THERE.test(failure.message);
  const relation = difference === undefined ? '' : `The received value ${difference.relation}. `;
  const values =
    nothing || difference === undefined
      ? `it ${describeResult(failure)}`
      : `the received value ${difference.relation}`;
  return {
    category: 'edge_case_miss',
    rootCause: `A boundary case is not handled${place === undefined ? '' : ` at ${renderFunctionPlace(place)}`}: ${describeFailure(failure)}.`,
    because: nothing
      ? `The code uses a value that is missing for the input of ${failureName(failure)}, without checking for it.`
      : `${relation}${passing(evidence)} input of ${failureName(failure)} gives a wrong result, which is typical of a wrong bound or a missing early return.`,
    next: `${nothing ? 'check for the absent value before it is used' : 'handle that input separately'}: ${lookFirst(evidence)}`,
    lesson: `${failureName(failure)} exercises a boundary${place === undefined ? '' : ` of ${renderPlace({ file: place.file })}`}: ${values}.`,
    strength: nothing || difference?.boundary === true ? 0.8 : 0.55,
  };
}

function passing({ input }: Evidence): string {
  const { tests_passed: passed } = input.evaluation.metrics;
  return passed === 0 ? 'The' : `${plural(passed, 'test')} ${passed === 1 ? 'passes' : 'pass'}, but the`;
}

function isBoundary(failure: Evidence['failures'][number], { difference, failures }: Evidence): boolean {
  if (failure.type === 'lint_error' || failure.type === 'type_error') return false;
  if (NOTHING_THERE.test(failure.message)) return true;
  const valued = failures.find(({ expected, received }) => expected !== undefined && received !== undefined);
  if (failure !== valued || difference === undefined) return false;
  return difference.boundary || BOUNDARY_NAME.test(failure.rule ?? failure.test_id ?? '');
}

function partial(evidence: Evidence): Diagnosis | undefined {
  const { fixed, fresh, failures, changed } = evidence;
  const lead = failures[0];
  if (fixed.length === 0 || fresh.length > 0 || lead === undefined) return undefined;
  const done = joinList(fixed.map(failureName));
  const where = joinList(changed.map((file) => renderPlace({ file })));
  return {
    category: 'incomplete_implementation',
    rootCause: `The edit in ${where} fixes ${done}, but not ${plural(failures.length, 'other failure')}: ${describeFailure(lead)}.`,
    because: `The edit is a part of the fix: ${done} depended on ${where}, but ${failureName(lead)} depends on more than this change.`,
    next: `keep the edit in ${where} and ${lookFirst(evidence)}`,
    lesson: `The code in ${where} determines the result of ${done}.`,
    strength: 0.8,
  };
}

function elsewhere(evidence: Evidence): Diagnosis | undefined {
  const { failures, changed, fixed, fresh, moved, places } = evidence;
  const lead = failures[0];
  if (lead === undefined || fixed.length + fresh.length + moved.length > 0 || places.length === 0)
    return undefined;
  const named = new Set(failures.flatMap(filesOf));
  if (changed.some((file) => named.has(file))) return undefined;
  const where = joinList(changed.map((file) => renderPlace({ file })));
  const place = nextPlace({ ...evidence, hunks: [] })!;
  return {
    category: 'incorrect_assumption',
    rootCause: `I assumed that the cause is in ${where}, but no failure passes through it: ${describeFailure(lead)} comes from ${renderFunctionPlace(places[0]!)}.`,
    because: `The failures are the same as before the edit, and none of their frames is in ${where}, so that code does not cause them.`,
    next: `leave ${where} as it was and look at ${renderFunctionPlace(place)}, where ${failureName(lead)} passes through`,
    lesson: `${failureName(lead)} does not depend on ${where}; its frames are in ${joinList([...new Set(places.map(({ file }) => renderPlace({ file })))])}.`,
    strength: 0.85,
  };
}

function brokeTests(evidence: Evidence): Diagnosis | undefined {
  const { fresh, fixed, changed } = evidence;
  const edit = blamedHunk(evidence);
  const first = fresh.find(({ type }) => type !== 'lint_error');
  if (first === undefined || changed.length === 0) return undefined;
  const at = edit === undefined ? renderPlace({ file: changed[0]! }) : renderPlace(edit);
  const gained =
    fixed.length === 0
      ? 'and nothing was fixed'
      : `although ${joinList(fixed.map(failureName))} ${fixed.length === 1 ? 'passes' : 'pass'} now`;
  return {
    category: 'logic_error',
    rootCause: `My edit at ${at} broke something that worked before: ${describeFailure(first)}.`,
    because: `${plural(fresh.length, 'failure')} ${fresh.length === 1 ? 'is' : 'are'} new, ${gained}: the change at ${at} is wrong for the input of ${failureName(first)}.`,
    next: `${fixed.length === 0 ? `revert the change at ${at}` : `narrow the change at ${at} to the input of ${joinList(fixed.map(failureName), 1)}`}, and ${lookFirst(evidence)}`,
    lesson: `${failureName(first)} also depends on ${renderPlace({ file: first.frames?.[0]?.file ?? changed[0]! })}: a change there must not break it.`,
    strength: 0.8,
  };
}
