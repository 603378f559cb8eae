import type { ReflectionInput } from '../../ports.ts';
import type { CheckResult, Diagnostic, Evaluation, Reflection } from '../../schema/generated.ts';
import { parseHunks, type Hunk } from './patch-hunks.ts';
import type { Place } from './phrases.ts';
import { compareValues, type ValueDifference } from './values.ts';

/** The known facts about one failed attempt; none of them is a guess. */
export interface Evidence {
  readonly input: ReflectionInput;
  /** 1-based. */
  readonly attempt: number;
  /** Files that differ after the attempt. */
  readonly changed: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Current errors, the most important one first. */
  readonly failures: readonly Diagnostic[];
  /** Failures of the starting point that are gone. */
  readonly fixed: readonly Diagnostic[];
  /** Failures that are absent only because their test or check did not run. */
  readonly unseen: readonly Diagnostic[];
  /** Failures that are unchanged. */
  readonly same: readonly Diagnostic[];
  /** Failures of tests that failed before in a different way. */
  readonly moved: readonly Diagnostic[];
  /** Failures of tests or checks that did not fail before. */
  readonly fresh: readonly Diagnostic[];
  /** Checks that could not run. */
  readonly broken: readonly CheckResult[];
  readonly rewardChange: number;
  /** Difference of the values of the first failure that has both. */
  readonly difference?: ValueDifference;
  /** Places in the source, without tests, that failures pass through; those of the most important failure first. */
  readonly places: readonly Place[];
  readonly blame: Blame;
  /** Earlier attempts with the same first failure among their errors, oldest first. */
  readonly alike: readonly Reflection[];
}

/** The actions that caused the result, and the reason for blaming them. */
export interface Blame {
  /** 0-based indices into the trajectory's actions. */
  readonly indices: readonly number[];
  readonly ground:
    'tampered' | 'named_by_new' | 'named_by_old' | 'broke_something' | 'changed_nothing' | 'no_edit';
}

/** Derives the evidence from the input of a reflector. */
export function gatherEvidence(input: ReflectionInput): Evidence {
  const hunks = parseHunks(input.patch);
  const changed = changedFiles(input.patch, hunks);
  const before = selectErrors(input.previous.diagnostics);
  const now = selectErrors(input.evaluation.diagnostics);
  const [known, present] = [fingerprints(before), fingerprints(now)];
  const [failedBefore, failsNow] = [testIds(before), testIds(now)];
  const unknown = now.filter(({ fingerprint }) => !known.has(fingerprint));
  const fresh = unknown.filter(({ test_id: id }) => id === undefined || !failedBefore.has(id));
  const gone = before.filter(
    ({ fingerprint, test_id: id }) => !present.has(fingerprint) && (id === undefined || !failsNow.has(id)),
  );
  const failures = sortByImportance(now, new Set(fresh));
  const valued = failures.find(({ expected, received }) => expected !== undefined && received !== undefined);
  const difference = valued && compareValues(valued.expected!, valued.received!);
  return {
    input,
    attempt: input.iteration,
    changed,
    hunks,
    failures,
    fixed: gone.filter((failure) => !isUnseen(failure, input.evaluation)),
    unseen: gone.filter((failure) => isUnseen(failure, input.evaluation)),
    same: now.filter(({ fingerprint }) => known.has(fingerprint)),
    moved: unknown.filter((failure) => !fresh.includes(failure)),
    fresh,
    broken: input.evaluation.checks.filter(({ status }) => status === 'error'),
    rewardChange: input.evaluation.reward - input.previous.reward,
    difference,
    places: sourcePlaces(failures),
    blame: blameFor(input, { changed, fresh, failures }),
    alike: alikeIn(input.window, failures[0]),
  };
}

/** The places without duplicates, in order of first occurrence. */
export function uniquePlaces(places: readonly Place[]): Place[] {
  const seen = new Set<string>();
  return places.filter(({ file, line }) => {
    const key = `${file}:${line ?? ''}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The first hunk in a blamed file; the first hunk of all if no file is blamed. */
export function blamedHunk({ blame, hunks, input }: Evidence): Hunk | undefined {
  const files = new Set(blame.indices.map((index) => input.trajectory.actions[index]?.file_path));
  return hunks.find(({ file }) => files.has(file)) ?? hunks[0];
}

/** True for paths that common test runners recognise as tests. */
export function isTestFile(file: string): boolean {
  return /(^|\/)(__tests__|tests?|specs?)\/|[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)test[._-][^/]*$/.test(file);
}

/** Files that a failure names: its own and those of its frames. */
export function filesOf({ file, frames }: Diagnostic): string[] {
  return [...(file === undefined ? [] : [file]), ...(frames ?? []).map((frame) => frame.file)];
}

/** Types of failures, those that cause other failures first. */
const TYPE_ORDER: readonly Diagnostic['type'][] = [
  'syntax_error',
  'type_error',
  'runtime_error',
  'timeout',
  'test_failure',
  'logic_error',
  'lint_error',
  'other',
];

/** Sorted by type; within a type, failures that this attempt caused first, then failures with a line. */
function sortByImportance(failures: readonly Diagnostic[], fresh: ReadonlySet<Diagnostic>): Diagnostic[] {
  const rank = (failure: Diagnostic): number =>
    TYPE_ORDER.indexOf(failure.type) * 4 +
    (fresh.has(failure) ? 0 : 2) +
    (failure.line === undefined ? 1 : 0);
  return [...failures].sort((a, b) => rank(a) - rank(b));
}

function selectErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : diagnostics;
}

function fingerprints(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ fingerprint }) => fingerprint));
}

/** Changed files by the patch, because the actor's list of edits is only a claim. */
function changedFiles(patch: string, hunks: readonly Hunk[]): string[] {
  const headers = [...patch.matchAll(/^diff --git "?a\/.+? "?b\/(.+?)"?$/gm)].map((match) => match[1]!);
  return [...new Set([...headers, ...hunks.map(({ file }) => file)])];
}

function testIds(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ test_id }) => test_id).filter((id) => id !== undefined));
}

/** Failures that are searched for places. */
const MAX_FAILURES = 50;
const MAX_PLACES = 20;
const EDITS = new Set(['code_modification', 'file_creation', 'file_deletion']);

/** An absent failure counts as fixed only if the test or check that reported it ran again. */
function isUnseen({ check, test_id: id, type }: Diagnostic, evaluation: Evaluation): boolean {
  const ran = evaluation.checks.find(({ name }) => name === check);
  if (ran?.status === 'error') return true;
  if (type === 'type_error' || type === 'syntax_error' || type === 'lint_error') return false;
  if (id !== undefined && evaluation.tests.length > 0) {
    return !evaluation.tests.some((test) => test.id === id && test.status === 'passed');
  }
  return evaluation.diagnostics.some((failure) => failure.type === 'syntax_error');
}

function sourcePlaces(failures: readonly Diagnostic[]): Place[] {
  const places = failures.slice(0, MAX_FAILURES).flatMap(({ file, line, frames }): Place[] => {
    const own = file === undefined ? [] : [{ file, line }];
    return [...(frames ?? []), ...own];
  });
  return uniquePlaces(places.filter(({ file }) => !isTestFile(file))).slice(0, MAX_PLACES);
}

function blameFor(
  { trajectory, tampering }: ReflectionInput,
  found: Pick<Evidence, 'changed' | 'fresh' | 'failures'>,
): Blame {
  const touched = new Set(tampering.flatMap(({ file }) => (file === '' ? [] : [normalise(file)])));
  const tampered = trajectory.actions.flatMap(({ file_path }, index) =>
    file_path !== undefined && touched.has(normalise(file_path)) ? [index] : [],
  );
  if (tampered.length > 0) return { indices: tampered, ground: 'tampered' };
  const changed = new Set(found.changed.map(normalise));
  const edits = trajectory.actions.flatMap(({ type, file_path }, index) =>
    EDITS.has(type) && file_path !== undefined && changed.has(normalise(file_path)) ? [index] : [],
  );
  if (edits.length === 0) return { indices: [], ground: 'no_edit' };
  const namedBy = (failures: readonly Diagnostic[]): number[] => {
    const files = new Set(failures.flatMap(filesOf).map(normalise));
    return edits.filter((index) => files.has(normalise(trajectory.actions[index]!.file_path!)));
  };
  const byNew = namedBy(found.fresh);
  if (byNew.length > 0) return { indices: byNew, ground: 'named_by_new' };
  if (found.fresh.length > 0) return { indices: edits, ground: 'broke_something' };
  const byOld = namedBy(found.failures);
  if (byOld.length > 0) return { indices: byOld, ground: 'named_by_old' };
  return { indices: edits, ground: 'changed_nothing' };
}

function normalise(path: string): string {
  return path.replace(/^\.?\/+/, '');
}

function alikeIn(window: readonly Reflection[], lead: Diagnostic | undefined): Reflection[] {
  if (lead === undefined) return [];
  const failedAlike = ({ evaluator_output }: Reflection): boolean =>
    evaluator_output.errors.some(({ fingerprint }) => fingerprint === lead.fingerprint);
  return window.filter(failedAlike).sort((a, b) => a.iteration - b.iteration);
}
