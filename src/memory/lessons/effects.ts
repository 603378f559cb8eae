import { isSamePlace } from '../../platform/git/edit-place.ts';
import { parseHunks } from '../../platform/text/patch-hunks.ts';
import type { AttemptOutcome } from '../../ports/memory.ts';
import { claimedEdit } from '../../prompts/lesson-claims.ts';
import { isNarrowed } from '../../schema/narrowed.ts';
import { compareFailures, type FailureComparison } from '../../schema/compare-failures.ts';
import type { ClaimedFailure, Diagnostic, Lesson, LessonClaim } from '../../schema/generated.ts';
import { isOfTool } from '../../schema/reported-again.ts';
import type { LessonOutcome } from './contract.ts';

/**
 * The results of the lessons' own tests of truth in an attempt. A failure that goes away never supports a lesson by
 * itself: a lesson about an edit is tested by attempts that make such an edit, one about a command by checks that run.
 * Preferences and advice are not tested by attempts. An attempt that ends in a tree which the loop had before tests nothing again,
 * and one that starts from the tree of an earlier attempt tests no lesson on an edit or a file alone.
 */
export function effectsOf(outcome: AttemptOutcome, lessons: readonly Lesson[]): LessonOutcome[] {
  const { loopId } = outcome;
  const iteration = outcome.iteration - 1;
  return lessons.flatMap((lesson) => {
    const { claim, source, id } = lesson;
    const isBornHere = source.loop_id === loopId && source.iteration === iteration;
    if (claim === undefined || isBornHere) return [];
    if (outcome.isSeenTree === true && claim.kind !== 'command_fact') return [];
    if (isWithoutCause(claim, outcome)) return [];
    const effect = TESTS[claim.kind](claim, outcome);
    return effect === undefined ? [] : [{ lessonId: id, effect, loopId, iteration }];
  });
}

/** True for a lesson on a test or a command after an attempt that changed no code, which is no cause of what they report. */
function isWithoutCause(
  { kind, failures = [] }: LessonClaim,
  { evaluation, previous }: AttemptOutcome,
): boolean {
  if (kind === 'command_fact' || evaluation.delta?.code_as_it_was !== true) return false;
  const known = [...previous.diagnostics, ...evaluation.diagnostics];
  return !failures.every((one) => known.some((failure) => isClaimed(one, failure) && isOfTool(failure)));
}

type Effect = LessonOutcome['effect'] | undefined;
type TruthTest = (claim: LessonClaim, outcome: AttemptOutcome) => Effect;

const TESTS: Readonly<Record<LessonClaim['kind'], TruthTest>> = {
  /**
   * Refuted where the same edit fixes all that it names, confirmed where it leaves some again; settled where another edit of that
   * file alone fixes all. A lesson that names no edit is about the file, so that any edit of it refutes it.
   */
  edit_insufficient(claim, outcome) {
    if (!changesOnly(claim, outcome)) return undefined;
    const { fixed, same, moved } = comparisonOf(outcome);
    const isSameEdit = makesEdit(claim, outcome);
    if (includesEachClaimed(fixed, claim))
      return isSameEdit || namesNoEdit(claim) ? 'contradiction' : 'settled';
    return isSameEdit && includesClaimed([...same, ...moved], claim) ? 'support' : undefined;
  },
  /** Tested by attempts that make the same edit and no other: confirmed where it fixes all that it names, refuted where none. */
  edit_works(claim, outcome) {
    if (!changesOnly(claim, outcome) || !makesEdit(claim, outcome)) return undefined;
    const { fixed, same, moved } = comparisonOf(outcome);
    if (includesEachClaimed(fixed, claim)) return 'support';
    // Another cause may keep a part of them red.
    if (includesClaimed(fixed, claim)) return undefined;
    return includesClaimed([...same, ...moved], claim) ? 'contradiction' : undefined;
  },
  /** Refuted where a failure is fixed without a change of that file, confirmed where that file alone fixes all of them again. */
  file_decides_failure(claim, outcome) {
    const { fixed } = comparisonOf(outcome);
    // The rest of the fix may be in the tree that it started from.
    if ((outcome.startedFrom ?? 0) !== 0) return undefined;
    if (!includesClaimed(fixed, claim)) return undefined;
    if (changesOnly(claim, outcome)) return includesEachClaimed(fixed, claim) ? 'support' : undefined;
    return outcome.changes.files.some(({ path }) => path === claim.file) ? undefined : 'contradiction';
  },
  /** Confirmed where the check runs by that command, refuted where it runs by another one. */
  command_fact({ check: name, command }, { evaluation }) {
    const check = evaluation.checks.find((one) => one.name === name);
    if (check === undefined || check.status === 'error' || check.status === 'skip' || isNarrowed(check))
      return undefined;
    // A check that ended early may have run only the command that sets it up.
    if (check.unfinished === true) return undefined;
    return portableCommand(check.command) === portableCommand(command ?? '') ? 'support' : 'contradiction';
  },
  preference: () => undefined,
  advice: () => undefined,
};

/** The comparison without fixed tests that were not seen to run the change: these may pass by the clock. */
function comparisonOf({ previous, evaluation, fixesSeen }: AttemptOutcome): FailureComparison {
  const compared = compareFailures(previous, evaluation);
  const isSeen = ({ test_id: id }: Diagnostic): boolean =>
    id === undefined || fixesSeen === undefined || fixesSeen.includes(id);
  return { ...compared, fixed: compared.fixed.filter(isSeen) };
}

/** A command line without arguments that are an absolute path, such as a cache folder: they differ from clone to clone. */
export function portableCommand(command: string): string {
  return command.replace(/ --[\w.-]+[= ]["']?\/\S+/g, '');
}

/** True for a lesson that one attempt can refute, because it states something without exception. */
export function isRefutedAtOnce({ claim }: Lesson): boolean {
  return (
    claim?.kind === 'edit_insufficient' ||
    claim?.kind === 'command_fact' ||
    claim?.kind === 'file_decides_failure'
  );
}

function namesNoEdit({ before = '', after = '' }: LessonClaim): boolean {
  return before === '' && after === '';
}

/** True if between the tree of the loop's beginning and that of the attempt this file alone is another one. */
function changesOnly({ file }: LessonClaim, { changes, startedFrom = 0 }: AttemptOutcome): boolean {
  return startedFrom === 0 && changes.files.length === 1 && changes.files[0]!.path === file;
}

/** True for a patch with this edit alone, at its place; white space at the ends of lines does not matter. */
function makesEdit(
  { file, place, before = '', after = '' }: LessonClaim,
  { changes }: AttemptOutcome,
): boolean {
  // An equal line may stand somewhere else in the file.
  if (place === undefined || changes.place === undefined) return false;
  if (!isSamePlace(place, changes.place)) return false;
  const hunks = parseHunks(changes.patch);
  const [hunk] = hunks;
  if (hunk?.isOneChange !== true || hunks.length > 1) return false;
  const made = claimedEdit(hunk.removed.join('\n'), hunk.added.join('\n'));
  return (
    hunk.file === file && trimmed(made.before) === trimmed(before) && trimmed(made.after) === trimmed(after)
  );
}

function trimmed(code: string): string {
  return code
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

function includesClaimed(failures: readonly Diagnostic[], { failures: claimed = [] }: LessonClaim): boolean {
  return claimed.some((one) => failures.some((failure) => isClaimed(one, failure)));
}

function includesEachClaimed(
  failures: readonly Diagnostic[],
  { failures: claimed = [] }: LessonClaim,
): boolean {
  return claimed.length > 0 && claimed.every((one) => failures.some((failure) => isClaimed(one, failure)));
}

function isClaimed(claimed: ClaimedFailure, { fingerprint, test_id: id }: Diagnostic): boolean {
  return claimed.fingerprint === fingerprint || (id !== undefined && claimed.test_id === id);
}
