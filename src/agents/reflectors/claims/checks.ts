import { isDeepStrictEqual } from 'node:util';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import { changedFiles, parseHunks, type Hunk } from '../../../platform/text/patch-hunks.ts';
import { isTestFileOf } from '../../../prompts/phrases.ts';
import { compareFailures, type FailureComparison } from '../../../schema/compare-failures.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import { isOfTool } from '../../../schema/reported-again.ts';
import { filesOf } from '../evidence.ts';
import { changedLines } from './changed-lines.ts';
import type { Claim, OfKind } from './claim.ts';
import { splitByCause, keepsCode, type Causes } from './code-as-it-was.ts';
import { hasFailed } from './failed-commands.ts';
import { lineEndsChange } from './line-ends.ts';
import { isRefusal } from './refusal.ts';

type Checker<K extends Claim['kind']> = (claim: OfKind<K>, input: ReflectionInput) => boolean;

/** Whether the record of the attempt (patch, trajectory, evaluations, loop) shows what a claim says. */
export function holds(claim: Claim, input: ReflectionInput): boolean {
  const check = CHECKERS[claim.kind] as Checker<Claim['kind']>;
  return check(claim as never, input);
}
/** The record of an attempt, parsed once: a reflection checks a dozen claims on it. */
interface ParsedRecord {
  readonly hunks: readonly Hunk[];
  readonly changed: readonly string[];
  readonly comparison: FailureComparison;
  readonly causes: Causes;
}

const PARSED = new WeakMap<ReflectionInput, ParsedRecord>();

function parsed(input: ReflectionInput): ParsedRecord {
  const known = PARSED.get(input);
  if (known !== undefined) return known;
  const comparison = compareFailures(input.previous, input.evaluation);
  const record = {
    hunks: parseHunks(input.patch),
    changed: changedFiles(input.patch),
    comparison,
    causes: splitByCause(comparison, input),
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
  (state: 'unseen' | 'same' | 'moved' | 'revealed') =>
  ({ failures }: { readonly failures: readonly Diagnostic[] }, input: ReflectionInput): boolean =>
    sameFailures(failures, parsed(input).comparison[state]);

/** The actor that runs a program, and the one that tries small edits: neither says anything. */
const COMMAND = 'command';
const SEARCH = 'search';

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
  line_ends_changed({ kind: _, ...claim }, input) {
    const { hunks, changed } = parsed(input);
    return changed.length === 1 && isDeepStrictEqual(lineEndsChange(hunks), claim);
  },
  file_added: ({ file }, input) => isWholeFile(file, input, 'isNewFile'),
  file_deleted: ({ file }, input) => isWholeFile(file, input, 'isDeletedFile'),
  files_changed: ({ files }, input) => files.length > 0 && sameTexts(files, parsed(input).changed),
  code_kept: (_, input) => keepsCode(input),
  nothing_changed: (_, input) => changedNothing(input),
  same_change: ({ attempt }, input) =>
    !changedNothing(input) && input.loop?.sameChange.includes(attempt) === true,
  same_tree: ({ attempt }, input) =>
    !changedNothing(input) && input.loop?.sameTree.includes(attempt) === true,
  no_answer: (_, input) =>
    changedNothing(input) &&
    input.isWatched !== true &&
    // A search answers nobody.
    input.trajectory.actor !== SEARCH &&
    input.trajectory.actions.length === 0 &&
    input.trajectory.rationale.trim() === '' &&
    ['claimed_done', 'gave_up'].includes(input.trajectory.outcome),
  timed_out: (_, { trajectory }) => trajectory.outcome === 'timed_out',
  reported_done: (_, input) => input.trajectory.actor !== COMMAND && outcomeIs('claimed_done')(_, input),
  // A program says nothing: it ends.
  ended_well: (_, input) => input.trajectory.actor === COMMAND && outcomeIs('claimed_done')(_, input),
  gave_up: outcomeIs('gave_up'),
  actor_failed: outcomeIs('failed'),
  out_of_budget: (_, { trajectory }) => trajectory.outcome === 'out_of_budget',
  refused_to_answer: (_, input) => changedNothing(input) && isRefusal(input.trajectory),
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
  fixed: ({ failures }, input) => sameFailures(failures, parsed(input).causes.fixed),
  unrun: ({ failures }, input) => sameFailures(failures, parsed(input).causes.unrun),
  without: ({ failures }, input) => sameFailures(failures, parsed(input).causes.without),
  passing: ({ failures }, input) => sameFailures(failures, parsed(input).causes.passing),
  unseen: inState('unseen'),
  same: inState('same'),
  moved: inState('moved'),
  fresh: ({ failures }, input) => sameFailures(failures, parsed(input).causes.fresh),
  failing: ({ failures }, input) => sameFailures(failures, parsed(input).causes.failing),
  revealed: inState('revealed'),
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
    (isOfTool(failure) || !keepsCode(input)) &&
    // The same failure as before has no new cause, and a command may print a place that it has by heart.
    !wasThere(failure, input) &&
    parsed(input).hunks.some(
      ({ file, addedAt }) => file === failure.file && addedAt.includes(failure.line ?? 0),
    ),
  received_before: ({ failure, before }, input) => {
    const former = formerOf(failure, input);
    return former?.received === before && failure.received !== undefined && failure.received !== before;
  },
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
    const frames = (failure.frames ?? []).filter(({ file }) => !isTestFileOf(failure, file));
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

/** The failure of the same test, or the same failure, before the attempt. */
function formerOf(
  { fingerprint, test_id: id }: Diagnostic,
  { previous }: ReflectionInput,
): Diagnostic | undefined {
  return previous.diagnostics.find(
    (one) => one.fingerprint === fingerprint || (id !== undefined && one.test_id === id),
  );
}

/**
 * True for a failure that was there before: of a test at the same place, of anything else as often as now, wherever it stood, such
 * as in a file of another name.
 */
function wasThere(failure: Diagnostic, { previous, evaluation }: ReflectionInput): boolean {
  const { check, rule, message, test_id: id, fingerprint, file, line } = failure;
  if (id !== undefined)
    return previous.diagnostics.some(
      (one) => one.fingerprint === fingerprint && one.file === file && one.line === line,
    );
  const isAlike = (one: Diagnostic): boolean =>
    one.check === check && one.rule === rule && one.message === message;
  return previous.diagnostics.filter(isAlike).length >= evaluation.diagnostics.filter(isAlike).length;
}

function sameFailures(one: readonly Diagnostic[], other: readonly Diagnostic[]): boolean {
  const found = new Set(other);
  return one.length > 0 && one.length === other.length && one.every((failure) => found.has(failure));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const found = new Set(other);
  return one.length === other.length && one.every((text) => found.has(text));
}
function isWholeFile(file: string, input: ReflectionInput, how: 'isNewFile' | 'isDeletedFile'): boolean {
  const { hunks, changed } = parsed(input);
  return changed.length === 1 && changed[0] === file && hunks[0]?.file === file && hunks[0][how];
}

/** True if a list has the failure, in this object or another one. */
function includesFailure(failures: readonly Diagnostic[], { fingerprint }: Diagnostic): boolean {
  return failures.some((one) => one.fingerprint === fingerprint);
}
