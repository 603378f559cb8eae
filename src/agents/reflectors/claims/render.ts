import { plural } from '../../../platform/text/plural.ts';
import { isOnlyLayout, renderEditSides } from '../../../prompts/edit-sides.ts';
import {
  clause,
  describeFailure,
  failureName,
  isTestFileOf,
  joinList,
  oneLine,
  placeClause,
  renderFunctionPlace,
  renderPlace,
  safeTitle,
  shownCode,
  shownValues,
} from '../../../prompts/phrases.ts';
import { renderValues } from '../../../prompts/seen-values.ts';
import { occurrenceOf } from '../../../schema/compare-failures.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import { compareValues } from '../values.ts';
import type { Claim, OfKind } from './claim.ts';

/** The claim as a clause without a full stop, for a sentence in the first person. */
export function renderClaim(claim: Claim): string {
  const render = RENDERERS[claim.kind] as (claim: Claim) => string;
  return render(claim);
}
const RENDERERS: { readonly [K in Claim['kind']]: (claim: OfKind<K>) => string } = {
  line_changed({ file, line, before, after }) {
    // Empty lines above added code are a part of the change, but not its place.
    const empty = before === '' ? /^(?:[^\S\n]*\n)*/.exec(after)![0].split('\n').length - 1 : 0;
    const at = renderPlace({ file, line: line + empty });
    const sides = renderEditSides(before, after, 80);
    if (sides === undefined)
      return isOnlyLayout(before, after)
        ? `I changed only white space at ${renderPlace({ file, line })}`
        : `I changed the code at ${at}`;
    const { from, to } = sides;
    if (from === '') return `I added ${to} at ${at}`;
    return to === '' ? `I removed ${from} at ${at}` : `I changed ${from} to ${to} at ${at}`;
  },
  lines_changed: ({ edits }) =>
    joinList(edits.map((edit) => RENDERERS.line_changed({ kind: 'line_changed', ...edit }))),
  line_ends_changed({ file, lines, to, edits }) {
    const ends = `I changed the ends of ${plural(lines, 'line')} in ${renderPlace({ file })} to ${to}`;
    if (edits.length > MOST_EDITS) return `${ends} and ${plural(edits.length, 'line')} besides`;
    const parts = edits.map((edit) => RENDERERS.line_changed({ kind: 'line_changed', ...edit }));
    return joinList([ends, ...parts]);
  },
  file_added: ({ file }) => `I added the file ${renderPlace({ file })}`,
  file_deleted: ({ file }) => `I deleted ${renderPlace({ file })}`,
  files_changed: ({ files }) => `I changed ${joinList(files.map((file) => renderPlace({ file })))}`,
  code_kept: () => 'that changes no code',
  nothing_changed: () => 'I changed no file',
  same_change: ({ attempt }) => `the same change as in attempt ${attempt}`,
  same_tree: ({ attempt }) =>
    attempt === 0 ? 'the tree is the original one again' : `the tree is the same as after attempt ${attempt}`,
  no_answer: () => 'the actor gave no answer',
  timed_out: () => 'the actor was stopped at a time limit',
  reported_done: () => 'the actor ended as if it were done',
  ended_well: () => 'the program ended with exit code 0',
  refused_to_answer: () => 'the model or its provider refused to answer',
  gave_up: () => 'the actor ended',
  actor_failed: () => 'the actor failed',
  out_of_budget: () => 'the budget was used up',
  commands_failed: ({ count, command, description }) =>
    `${count === 1 ? 'the only command of the attempt failed,' : `all ${count} commands of the attempt failed, the last one`} ${shownCode(command)} (${clause(description, 100)})`,
  edits_withheld: ({ count }) =>
    `at least ${plural(count, 'plausible edit')} would fix failing tests and break none, and none was sure enough to be applied`,
  edits_tried: ({ count }) =>
    `${plural(count, 'edit')} ${count === 1 ? 'was' : 'were'} tried on the failing tests`,
  tampered: ({ detail }) => clause(detail, 200),
  reward: ({ before, after }) =>
    before === after
      ? `the reward stayed at ${after.toFixed(3)}`
      : `the reward went from ${renderRewards(before, after).join(' to ')}`,
  fixed: ({ failures, isPlaced }) => `Fixed: ${names(failures, isPlaced)}`,
  unrun: ({ failures }) =>
    `Passing now: ${names(failures)}; ${failures.length === 1 ? 'a traced run of it' : 'traced runs of them'} executed no line that this attempt wrote`,
  without: ({ failures }) =>
    `Passing now: ${names(failures)}; ${failures.length === 1 ? 'it' : 'each'} passed too when it was run again on the tree before this attempt`,
  passing: ({ failures, isPlaced }) => `Passing now, with the code as it was: ${names(failures, isPlaced)}`,
  unseen: ({ failures, isPlaced }) => `Not reported again: ${names(failures, isPlaced)}`,
  same: ({ failures }) => `Failing as before: ${countOf(failures)}`,
  moved: ({ failures }) => `Failing differently: ${countOf(failures)}`,
  fresh: ({ failures, isPlaced }) => `New: ${names(failures, isPlaced)}`,
  failing: ({ failures, isPlaced }) => `Failing now, with the code as it was: ${names(failures, isPlaced)}`,
  revealed: ({ failures, isPlaced }) => `Failing now, without a result before: ${names(failures, isPlaced)}`,
  check_failed: ({ check, detail }) =>
    `the check "${oneLine(check, 60)}" did not pass: ${clause(detail, 140)}`,
  missing_tests: ({ tests }) =>
    `${plural(tests.length, 'test')} of the start did not run: ${joinList(
      tests.map((test) => oneLine(safeTitle(test))),
      1,
    )}`,
  reported({ failure }) {
    const { expected, received } = failure;
    const isLong =
      expected !== undefined && received !== undefined && expected.length + received.length >= LONG_VALUES;
    const found = isLong
      ? compareValues(oneLine(expected, Infinity), oneLine(received, Infinity))
      : undefined;
    // The keys of a printed object may stand in another order, so the place of a character in it says nothing.
    const difference = found?.isOfText === true && /^["'`]?[\w\s()]*[{[]/.test(expected!) ? undefined : found;
    return `${describeFailure(failure)}${difference === undefined ? '' : `: the received value ${difference.relation}`}`;
  },
  on_edited_line: ({ failure }) =>
    failureName(failure).startsWith('the test ')
      ? 'it fails on a line that this attempt wrote'
      : 'it is on a line that this attempt wrote',
  received_before: ({ failure, before }) =>
    `it received ${shownValues(before, failure.received!)[0]} before the attempt`,
  ran_lines: ({ lines }) =>
    `a traced run of it executed ${joinList(lines.map(renderPlace), 2)}, which this attempt wrote`,
  ran_no_line: () =>
    'a traced run of it, in its own process and after its modules had loaded, executed no line that this attempt wrote',
  values_seen: ({ values, isFirst }) =>
    `in ${isFirst ? 'a traced run of it' : 'that run'} ${renderValues(values)}`,
  frames_elsewhere({ failure }) {
    const place = failure.frames!.find(({ file }) => !isTestFileOf(failure, file))!;
    return `it passes through ${renderFunctionPlace(place)}, and none of its stack frames is in a file that I changed`;
  },
  seen_before({ failure, attempts, isNamed }) {
    const after = `after ${attempts.length === 1 ? 'attempt' : 'attempts'} ${joinList(attempts.map(String), 6)}`;
    return failureName(failure).startsWith('the test ')
      ? `${isNamed ? 'it' : failureName(failure)} failed in that way ${after} too`
      : `${isNamed ? 'it' : nameWithPlace(failure)} was also there ${after}`;
  },
  rolled_back({ from, failure }) {
    const tree = from === 0 ? 'the original one' : `that of attempt ${from}`;
    const there = failure === undefined ? '' : `; the failure to work on there: ${describeFailure(failure)}`;
    return `this edit was not kept: the tree goes back to ${tree}${there}`;
  },
};
/** Most changed lines that are shown beside changed line ends. */
const MOST_EDITS = 2;

/** Two rewards with three digits, or with as many as tell them apart. */
export function renderRewards(before: number, after: number): [string, string] {
  const digits = [3, 4, 5].find((count) => before.toFixed(count) !== after.toFixed(count)) ?? 6;
  return [before.toFixed(digits), after.toFixed(digits)];
}

/** Characters of both values of a failure from which the difference between them is said. */
const LONG_VALUES = 30;

/** The number of different failures: a test may have several, and an error of a tool may stand at several places. */
function countOf(failures: readonly Diagnostic[]): number {
  return new Set(failures.map(occurrenceOf)).size;
}

function names(failures: readonly Diagnostic[], isPlaced = false): string {
  const more = countOf(failures) - 1;
  const first = isPlaced
    ? `${failureName(failures[0]!)}${placeClause(failures[0]!)}`
    : nameWithPlace(failures[0]!);
  return `${first}${more === 0 ? '' : ` and ${more} more`}`;
}

/** A test by its name, an error of a tool by its code and place. */
export function nameWithPlace(failure: Diagnostic): string {
  const name = failureName(failure);
  return name.startsWith('the test ') ? name : `${name}${placeClause(failure)}`;
}
