import type { ChangedLine, ReflectionInput, SeenValue } from '../../ports.ts';
import { plural } from '../../platform/text/plural.ts';
import { changedFiles, parseHunks, type Hunk } from '../../platform/text/patch-hunks.ts';
import {
  clause,
  describeFailure,
  failureName,
  isTestFile,
  joinList,
  oneLine,
  renderEditSides,
  renderFunctionPlace,
  renderPlace,
} from '../../prompts/phrases.ts';
import { compareFailures, type FailureComparison } from '../../schema/compare-failures.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { filesOf } from './evidence.ts';
import { renderValues } from '../../prompts/seen-values.ts';
import { compareValues } from './values.ts';

/** Consecutive lines of a file and their replacement; `line` is 1-based, in the new file. */
export interface ChangedLines {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A statement about an attempt. It is only written if its checker finds it in the record of that attempt. */
export type Claim =
  /** The patch replaces exactly these lines of one file; `line` is the first changed line of the new file. */
  | {
      readonly kind: 'line_changed';
      readonly file: string;
      readonly line: number;
      readonly before: string;
      readonly after: string;
    }
  /** The patch makes exactly these changes, each as in `line_changed`. */
  | { readonly kind: 'lines_changed'; readonly edits: readonly ChangedLines[] }
  /** The patch adds or deletes this file and changes nothing else. */
  | { readonly kind: 'file_added' | 'file_deleted'; readonly file: string }
  /** The patch changes exactly these files. */
  | { readonly kind: 'files_changed'; readonly files: readonly string[] }
  | { readonly kind: 'nothing_changed' }
  /** An earlier attempt (1-based) made the same change or ended in the same tree. */
  | { readonly kind: 'same_change' | 'same_tree'; readonly attempt: number }
  /** What the actor did where it changed no file. */
  | {
      readonly kind:
        | 'no_answer'
        | 'timed_out'
        | 'reported_done'
        | 'refused_to_answer'
        | 'gave_up'
        | 'actor_failed'
        | 'out_of_budget';
    }
  | {
      readonly kind: 'commands_failed';
      readonly count: number;
      readonly command: string;
      readonly description: string;
    }
  | { readonly kind: 'edits_tried'; readonly count: number }
  /** So many edits passed the tests, and none was sure enough to be applied. */
  | { readonly kind: 'edits_withheld'; readonly count: number }
  /** Something that the verdict depends on was edited; the detail is ralph's own sentence. */
  | { readonly kind: 'tampered'; readonly detail: string }
  | { readonly kind: 'reward'; readonly before: number; readonly after: number }
  /** The failures with this state are exactly these. */
  | {
      readonly kind: 'fixed' | 'unseen' | 'same' | 'moved' | 'fresh';
      readonly failures: readonly Diagnostic[];
    }
  | { readonly kind: 'check_failed'; readonly check: string; readonly detail: string }
  | { readonly kind: 'missing_tests'; readonly tests: readonly string[] }
  /** The failure is reported after the attempt, at its place and with its values. */
  | { readonly kind: 'reported'; readonly failure: Diagnostic }
  /** The failure is reported on a line that the patch wrote. */
  | { readonly kind: 'on_edited_line'; readonly failure: Diagnostic }
  /** The same test received another value, or the same one, before the attempt. */
  | { readonly kind: 'received_before'; readonly failure: Diagnostic; readonly before: string }
  | { readonly kind: 'same_value'; readonly failure: Diagnostic }
  /** A run of the failure's test with traces reached these of the changed lines, or none of them. */
  | { readonly kind: 'ran_lines'; readonly failure: Diagnostic; readonly lines: readonly ChangedLine[] }
  | { readonly kind: 'ran_no_line'; readonly failure: Diagnostic }
  /** In that run these expressions had these values. */
  | { readonly kind: 'values_seen'; readonly failure: Diagnostic; readonly values: readonly SeenValue[] }
  /** The failure has frames in the source, and none is in a changed file. */
  | { readonly kind: 'frames_elsewhere'; readonly failure: Diagnostic }
  /** The same failure was among the errors of these earlier attempts, 1-based. */
  | { readonly kind: 'seen_before'; readonly failure: Diagnostic; readonly attempts: readonly number[] }
  /**
   * The next attempt starts from another tree than this attempt's: 0 for the original one, else an attempt's. `failure` is
   * reported for that tree.
   */
  | { readonly kind: 'rolled_back'; readonly from: number; readonly failure?: Diagnostic | undefined };

type OfKind<K extends Claim['kind']> = Extract<Claim, { readonly kind: K }>;
type Checker<K extends Claim['kind']> = (claim: OfKind<K>, input: ReflectionInput) => boolean;

/** Whether the record of the attempt (patch, trajectory, evaluations, loop) shows what a claim says. */
export function holds(claim: Claim, input: ReflectionInput): boolean {
  const check = CHECKERS[claim.kind] as Checker<Claim['kind']>;
  return check(claim as never, input);
}

/** The claim as a clause without a full stop, for a sentence in the first person. */
export function renderClaim(claim: Claim): string {
  const render = RENDERERS[claim.kind] as (claim: Claim) => string;
  return render(claim);
}

/** The record of an attempt, parsed once: a reflection checks a dozen claims on it. */
interface ParsedRecord {
  readonly hunks: readonly Hunk[];
  readonly changed: readonly string[];
  readonly comparison: FailureComparison;
}

const PARSED = new WeakMap<ReflectionInput, ParsedRecord>();

function parsed(input: ReflectionInput): ParsedRecord {
  const known = PARSED.get(input);
  if (known !== undefined) return known;
  const record = {
    hunks: parseHunks(input.patch),
    changed: changedFiles(input.patch),
    comparison: compareFailures(input.previous, input.evaluation),
  };
  PARSED.set(input, record);
  return record;
}

const changedNothing = (input: ReflectionInput): boolean => parsed(input).changed.length === 0;
const outcomeIs =
  (outcome: ReflectionInput['trajectory']['outcome']) =>
  (_: Claim, input: ReflectionInput): boolean =>
    changedNothing(input) && input.trajectory.outcome === outcome;
const inState =
  (state: 'fixed' | 'unseen' | 'same' | 'moved' | 'fresh') =>
  ({ failures }: { readonly failures: readonly Diagnostic[] }, input: ReflectionInput): boolean =>
    sameFailures(failures, parsed(input).comparison[state]);

const CHECKERS: { readonly [K in Claim['kind']]: Checker<K> } = {
  line_changed({ file, line, before, after }, input) {
    const { hunks, changed } = parsed(input);
    const [hunk] = hunks;
    if (hunk?.isOneChange !== true || hunks.length > 1 || changed.length > 1) return false;
    const isSame = (lines: readonly string[], text: string): boolean => lines.join('\n') === text;
    return (
      hunk.file === file && hunk.line === line && isSame(hunk.removed, before) && isSame(hunk.added, after)
    );
  },
  lines_changed({ edits }, input) {
    const { hunks, changed } = parsed(input);
    const made = changedLines(hunks);
    const files = new Set(hunks.map(({ file }) => file));
    return changed.every((file) => files.has(file)) && JSON.stringify(made) === JSON.stringify(edits);
  },
  file_added: ({ file }, input) => isWholeFile(file, input, 'isNewFile'),
  file_deleted: ({ file }, input) => isWholeFile(file, input, 'isDeletedFile'),
  files_changed: ({ files }, input) => files.length > 0 && sameTexts(files, parsed(input).changed),
  nothing_changed: (_, input) => changedNothing(input),
  same_change: ({ attempt }, input) =>
    !changedNothing(input) && input.loop?.sameChange.includes(attempt) === true,
  same_tree: ({ attempt }, input) =>
    !changedNothing(input) && input.loop?.sameTree.includes(attempt) === true,
  no_answer: (_, input) =>
    changedNothing(input) &&
    input.trajectory.actions.length === 0 &&
    input.trajectory.rationale.trim() === '' &&
    ['claimed_done', 'gave_up'].includes(input.trajectory.outcome),
  timed_out: outcomeIs('timed_out'),
  reported_done: outcomeIs('claimed_done'),
  gave_up: outcomeIs('gave_up'),
  actor_failed: outcomeIs('failed'),
  out_of_budget: outcomeIs('out_of_budget'),
  refused_to_answer: (_, input) =>
    changedNothing(input) && /\brefused to (answer|continue)\b/.test(input.trajectory.message),
  commands_failed({ count, command, description }, { trajectory }) {
    const run = trajectory.actions.filter((action) => action.command !== undefined);
    const last = run.at(-1);
    return (
      run.length === count &&
      run.every(({ description: text }) => hasFailed(text)) &&
      last?.command === command &&
      last.description === description
    );
  },
  edits_withheld: ({ count }, input) =>
    changedNothing(input) && count > 0 && input.trajectory.alternatives?.length === count,
  edits_tried: ({ count }, { trajectory }) => count > 0 && trajectory.ruled_out.tried === count,
  tampered: ({ detail }, { tampering, evaluation }) =>
    [...(evaluation.tampering ?? []), ...tampering].some((found) => found.detail === detail),
  reward: ({ before, after }, { previous, evaluation }) =>
    previous.reward === before && evaluation.reward === after,
  fixed: inState('fixed'),
  unseen: inState('unseen'),
  same: inState('same'),
  moved: inState('moved'),
  fresh: inState('fresh'),
  check_failed: ({ check, detail }, { evaluation }) =>
    evaluation.checks.some(
      (one) =>
        one.name === check && one.detail === detail && (one.status === 'fail' || one.status === 'error'),
    ),
  missing_tests: ({ tests }, { evaluation }) =>
    tests.length > 0 && sameTexts(tests, evaluation.missing_tests),
  reported: ({ failure }, { evaluation }) => evaluation.diagnostics.includes(failure),
  on_edited_line: ({ failure }, input) =>
    input.evaluation.diagnostics.includes(failure) &&
    parsed(input).hunks.some(
      ({ file, addedAt }) => file === failure.file && addedAt.includes(failure.line ?? 0),
    ),
  received_before: ({ failure, before }, input) => {
    const former = formerOf(failure, input);
    return former?.received === before && failure.received !== undefined && failure.received !== before;
  },
  same_value: ({ failure }, input) =>
    failure.received !== undefined &&
    !changedNothing(input) &&
    formerOf(failure, input)?.received === failure.received,
  ran_lines: ({ failure, lines }, { trace }) =>
    lines.length > 0 &&
    trace?.testId === failure.test_id &&
    JSON.stringify(lines) === JSON.stringify(trace?.ran),
  ran_no_line: ({ failure }, { trace }) =>
    trace !== undefined &&
    trace.testId === failure.test_id &&
    trace.ran.length + trace.unknown.length === 0 &&
    trace.missed.length > 0,
  values_seen: ({ failure, values }, { trace }) =>
    values.length > 0 &&
    trace?.testId === failure.test_id &&
    values.every((value) => trace?.values.includes(value)),
  frames_elsewhere({ failure }, input) {
    const changed = new Set(parsed(input).changed);
    const frames = (failure.frames ?? []).filter(({ file }) => !isTestFile(file));
    return changed.size > 0 && frames.length > 0 && !filesOf(failure).some((file) => changed.has(file));
  },
  seen_before({ failure, attempts }, { loop, window }) {
    const earlier = loop?.reflections ?? window;
    return (
      attempts.length > 0 &&
      attempts.every((attempt) =>
        earlier.some(
          ({ iteration, evaluator_output }) =>
            iteration === attempt - 1 &&
            evaluator_output.errors.some(({ fingerprint }) => fingerprint === failure.fingerprint),
        ),
      )
    );
  },
  rolled_back: ({ from, failure }, { iteration, loop }) =>
    loop !== undefined &&
    loop.next.from === from &&
    from !== iteration &&
    (failure === undefined || includesFailure(loop.next.evaluation.diagnostics, failure)),
};

const RENDERERS: { readonly [K in Claim['kind']]: (claim: OfKind<K>) => string } = {
  line_changed({ file, line, before, after }) {
    const at = renderPlace({ file, line });
    const sides = renderEditSides(before, after, 120);
    if (sides === undefined) return `I changed only white space at ${at}`;
    const { from, to } = sides;
    if (from === '') return `I added \`${to}\` at ${at}`;
    return to === '' ? `I removed \`${from}\` at ${at}` : `I changed \`${from}\` to \`${to}\` at ${at}`;
  },
  lines_changed: ({ edits }) =>
    joinList(edits.map((edit) => RENDERERS.line_changed({ kind: 'line_changed', ...edit }))),
  file_added: ({ file }) => `I added the file ${renderPlace({ file })}`,
  file_deleted: ({ file }) => `I deleted ${renderPlace({ file })}`,
  files_changed: ({ files }) => `I changed ${joinList(files.map((file) => renderPlace({ file })))}`,
  nothing_changed: () => 'I changed no file',
  same_change: ({ attempt }) => `the same change as in attempt ${attempt}`,
  same_tree: ({ attempt }) => `the tree is the same as after attempt ${attempt}`,
  no_answer: () => 'the actor gave no answer',
  timed_out: () => 'the actor did not end within its time limit',
  reported_done: () => 'the actor reported to be done',
  refused_to_answer: () => 'the model refused to answer',
  gave_up: () => 'the actor gave up',
  actor_failed: () => 'the actor failed',
  out_of_budget: () => 'the budget was used up',
  commands_failed: ({ count, command, description }) =>
    `${count === 1 ? 'the only command of the attempt failed,' : `all ${count} commands of the attempt failed, the last one`} \`${oneLine(command, 120)}\` (${clause(description, 160)})`,
  edits_withheld: ({ count }) =>
    `${plural(count, 'plausible edit')} passed the tests, and none was sure enough to be applied`,
  edits_tried: ({ count }) =>
    `${plural(count, 'edit')} ${count === 1 ? 'was' : 'were'} tried on the failing tests`,
  tampered: ({ detail }) => clause(detail, 300),
  reward: ({ before, after }) =>
    before === after
      ? `the reward stayed at ${after.toFixed(3)}`
      : `the reward went from ${before.toFixed(3)} to ${after.toFixed(3)}`,
  fixed: ({ failures }) => `fixed: ${names(failures)}`,
  unseen: ({ failures }) => `not reported again: ${names(failures)}`,
  same: ({ failures }) => `failing as before: ${names(failures)}`,
  moved: ({ failures }) => `failing differently: ${names(failures)}`,
  fresh: ({ failures }) => `new: ${names(failures)}`,
  check_failed: ({ check, detail }) =>
    `the check "${oneLine(check, 60)}" did not pass: ${clause(detail, 300)}`,
  missing_tests: ({ tests }) =>
    `${plural(tests.length, 'test')} of the start did not run: ${joinList(
      tests.map((test) => oneLine(test)),
      1,
    )}`,
  reported({ failure }) {
    const { expected, received } = failure;
    const difference =
      expected === undefined || received === undefined ? undefined : compareValues(expected, received);
    return `${describeFailure(failure)}${difference === undefined ? '' : `: the received value ${difference.relation}`}`;
  },
  on_edited_line: ({ failure }) =>
    failureName(failure).startsWith('the test ')
      ? 'it fails on a line that this attempt wrote'
      : 'it is on a line that this attempt wrote',
  received_before: ({ before }) => `it received ${oneLine(before, 120)} before the attempt`,
  same_value: () => 'it received the same before the attempt',
  ran_lines: ({ lines }) =>
    `a traced run of it executed ${joinList(lines.map(renderPlace))}, which this attempt wrote`,
  ran_no_line: () =>
    'in its own process, and after its modules had loaded, a traced run of it executed no line that this attempt wrote',
  values_seen: ({ values }) => `in a traced run of it ${renderValues(values)}`,
  frames_elsewhere({ failure }) {
    const place = failure.frames!.find(({ file }) => !isTestFile(file))!;
    return `it passes through ${renderFunctionPlace(place)}, and none of its stack frames is in a file that I changed`;
  },
  seen_before({ failure, attempts }) {
    const after = `after ${attempts.length === 1 ? 'attempt' : 'attempts'} ${joinList(attempts.map(String), 6)}`;
    return failureName(failure).startsWith('the test ')
      ? `${failureName(failure)} failed in that way ${after} too`
      : `${nameWithPlace(failure)} was also there ${after}`;
  },
  rolled_back({ from, failure }) {
    const tree = from === 0 ? 'the original one' : `that of attempt ${from}`;
    const there = failure === undefined ? '' : `; the failure to work on there: ${describeFailure(failure)}`;
    return `this edit was not kept: the tree goes back to ${tree}${there}`;
  },
};

/** True where several commands failed, or one that could not run: one that fails alone may be a test that fails. */
export function areCommandsAtFault({ count, description }: OfKind<'commands_failed'>): boolean {
  return count > 1 || COULD_NOT_RUN.test(description);
}

const COULD_NOT_RUN = /\bexit code 12[67]\b|\bkilled by\b|\bended by SIG|could not be started|\bsignal SIG/;

/** True for an action's description that says that its command failed. */
export function hasFailed(description: string): boolean {
  return /\bexit code (?!0\b)-?\d+|\bkilled by\b|\bended by SIG|\bwhich failed\b|could not be started|\bsignal SIG/.test(
    description,
  );
}

/** The failure of the same test, or the same failure, before the attempt. */
function formerOf(
  { fingerprint, test_id: id }: Diagnostic,
  { previous }: ReflectionInput,
): Diagnostic | undefined {
  return previous.diagnostics.find(
    (one) => one.fingerprint === fingerprint || (id !== undefined && one.test_id === id),
  );
}

function sameFailures(one: readonly Diagnostic[], other: readonly Diagnostic[]): boolean {
  const found = new Set(other);
  return one.length > 0 && one.length === other.length && one.every((failure) => found.has(failure));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const found = new Set(other);
  return one.length === other.length && one.every((text) => found.has(text));
}

function names(failures: readonly Diagnostic[]): string {
  const unique = new Set(failures.map(nameWithPlace));
  return joinList([...unique]);
}

/** A test by its name, an error of a tool by its code and place. */
function nameWithPlace(failure: Diagnostic): string {
  const { file, line } = failure;
  const name = failureName(failure);
  return file === undefined || name.startsWith('the test ')
    ? name
    : `${name} at ${renderPlace({ file, line })}`;
}

/** The changes of all hunks, in order. */
export function changedLines(hunks: readonly Hunk[]): ChangedLines[] {
  return hunks.flatMap(({ file, edits }) =>
    edits.map(({ line, removed, added }) => ({
      file,
      line,
      before: removed.join('\n'),
      after: added.join('\n'),
    })),
  );
}

function isWholeFile(file: string, input: ReflectionInput, how: 'isNewFile' | 'isDeletedFile'): boolean {
  const { hunks, changed } = parsed(input);
  return changed.length === 1 && changed[0] === file && hunks[0]?.file === file && hunks[0][how];
}

/** True if a list has the failure, in this object or another one. */
function includesFailure(failures: readonly Diagnostic[], { fingerprint }: Diagnostic): boolean {
  return failures.some((one) => one.fingerprint === fingerprint);
}
