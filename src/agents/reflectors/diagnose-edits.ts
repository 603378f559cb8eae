import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, filesOf, type Evidence } from './evidence.ts';
import { lookFirst, nextPlace } from './next-place.ts';
import { capital, counted, describe, listed, nameOf, placed, says, spot } from './phrases.ts';

/** Edits that were made and ran: what they did to the failures tells where they were wrong. */
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
  const mine = fresh.includes(failure) && edit !== undefined ? spot(edit) : undefined;
  return {
    category: 'logic_error',
    rootCause: `${capital(describe(failure))} does not come to an end${mine === undefined ? '' : ` since my edit at ${mine}`}.`,
    because: `A loop whose condition stays true, or a promise that nothing settles, holds ${nameOf(failure)} until the time is up.`,
    next: `see what ends the loop or settles the promise ${mine === undefined ? `that ${nameOf(failure)} waits for` : `at ${mine}`}, and put that right before any value`,
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
  const relation = difference === undefined ? '' : `What was received ${difference.relation}. `;
  const values =
    nothing || difference === undefined ? `it ${says(failure)}` : `what was received ${difference.relation}`;
  return {
    category: 'edge_case_miss',
    rootCause: `A boundary is not handled${place === undefined ? '' : ` at ${placed(place)}`}: ${describe(failure)}.`,
    because: nothing
      ? `The code uses a value that is not there for the input of ${nameOf(failure)}: it takes for granted what that input does not give.`
      : `${relation}${usual(evidence)} the input of ${nameOf(failure)} does not come out right, which is what a wrong bound or a missing early return looks like.`,
    next: `${nothing ? 'check for the absent value before it is used' : 'handle that input by itself'}: ${lookFirst(evidence)}`,
    lesson: `${nameOf(failure)} exercises a boundary${place === undefined ? '' : ` of ${spot({ file: place.file })}`}: ${values}.`,
    strength: nothing || difference?.boundary === true ? 0.8 : 0.55,
  };
}

function usual({ input }: Evidence): string {
  const { tests_passed: passed } = input.evaluation.metrics;
  return passed === 0 ? 'At least' : `${counted(passed, 'test')} ${passed === 1 ? 'passes' : 'pass'}, and`;
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
  const done = listed(fixed.map(nameOf));
  const where = listed(changed.map((file) => spot({ file })));
  return {
    category: 'incomplete_implementation',
    rootCause: `The edit in ${where} mends ${done}, and not yet ${counted(failures.length, 'other failure')}: ${describe(lead)}.`,
    because: `It is a part of the repair: ${done} depended on ${where}, while ${nameOf(lead)} depends on more than I have changed.`,
    next: `keep the edit in ${where} and ${lookFirst(evidence)}`,
    lesson: `${done} ${fixed.length === 1 ? 'is' : 'are'} decided in ${where}.`,
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
  const where = listed(changed.map((file) => spot({ file })));
  const place = nextPlace({ ...evidence, hunks: [] })!;
  return {
    category: 'incorrect_assumption',
    rootCause: `I took ${where} for the cause, but no failure passes through it: ${describe(lead)} comes from ${placed(places[0]!)}.`,
    because: `The failures are the same as before the edit, and none of their frames is in ${where}, so that code does not decide them.`,
    next: `leave ${where} as it was and look at ${placed(place)}, where ${nameOf(lead)} passes through`,
    lesson: `${nameOf(lead)} does not depend on ${where}; its frames are in ${listed([...new Set(places.map(({ file }) => spot({ file })))])}.`,
    strength: 0.85,
  };
}

function brokeTests(evidence: Evidence): Diagnosis | undefined {
  const { fresh, fixed, changed } = evidence;
  const edit = blamedHunk(evidence);
  const first = fresh.find(({ type }) => type !== 'lint_error');
  if (first === undefined || changed.length === 0) return undefined;
  const at = edit === undefined ? spot({ file: changed[0]! }) : spot(edit);
  const gained =
    fixed.length === 0 ? 'and nothing was gained by it' : `while ${listed(fixed.map(nameOf))} passes now`;
  return {
    category: 'logic_error',
    rootCause: `My edit at ${at} broke what had worked: ${describe(first)}.`,
    because: `${counted(fresh.length, 'failure')} ${fresh.length === 1 ? 'is' : 'are'} new, ${gained}: the change at ${at} is wrong for the input of ${nameOf(first)}.`,
    next: `${fixed.length === 0 ? `take back the change at ${at}` : `narrow the change at ${at} to the input of ${listed(fixed.map(nameOf), 1)}`}, and ${lookFirst(evidence)}`,
    lesson: `${nameOf(first)} depends on ${spot({ file: first.frames?.[0]?.file ?? changed[0]! })} as well: a change there has to keep it.`,
    strength: 0.8,
  };
}
