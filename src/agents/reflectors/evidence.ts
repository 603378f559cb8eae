import type { ReflectionInput } from '../../ports.ts';
import type { CheckResult, Diagnostic, Evaluation, Reflection } from '../../schema/generated.ts';
import { parseHunks, type Hunk } from './patch-hunks.ts';
import type { Place } from './phrases.ts';
import { compareValues, type ValueDifference } from './values.ts';

/** What is known of one failed attempt, brought into order; nothing in it is guessed. */
export interface Evidence {
  readonly input: ReflectionInput;
  readonly attempt: number;
  /** Files that the attempt left changed. */
  readonly changed: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Errors that there are now, the one to begin with first. */
  readonly failures: readonly Diagnostic[];
  /** Compared with what the attempt started from. */
  readonly fixed: readonly Diagnostic[];
  /** Gone only because their test or check did not run; nobody knows whether they are fixed. */
  readonly unseen: readonly Diagnostic[];
  readonly same: readonly Diagnostic[];
  /** Of tests that failed before as well, and fail otherwise now. */
  readonly moved: readonly Diagnostic[];
  readonly fresh: readonly Diagnostic[];
  /** Checks that could not run. */
  readonly broken: readonly CheckResult[];
  readonly rewardChange: number;
  /** Expected against received of the first failure that has both. */
  readonly difference?: ValueDifference;
  /** Places in the source that failures pass through, the most telling first; tests are not among them. */
  readonly places: readonly Place[];
  readonly blame: Blame;
  /** Earlier attempts, oldest first, whose errors contain the first failure of this one. */
  readonly alike: readonly Reflection[];
}

/** Which actions answer for the result, and how that is known. */
export interface Blame {
  /** 0-based indices into the trajectory's actions. */
  readonly indices: readonly number[];
  readonly ground:
    'tampered' | 'named_by_new' | 'named_by_old' | 'broke_something' | 'changed_nothing' | 'no_edit';
}

/** Brings an attempt's input into order. */
export function gatherEvidence(input: ReflectionInput): Evidence {
  const hunks = parseHunks(input.patch);
  const changed = changedFiles(input.patch, hunks);
  const before = errorsOf(input.previous.diagnostics);
  const now = errorsOf(input.evaluation.diagnostics);
  const [known, present] = [fingerprints(before), fingerprints(now)];
  const [failedBefore, failsNow] = [testIds(before), testIds(now)];
  const unknown = now.filter(({ fingerprint }) => !known.has(fingerprint));
  const fresh = unknown.filter(({ test_id: id }) => id === undefined || !failedBefore.has(id));
  const gone = before.filter(
    ({ fingerprint, test_id: id }) => !present.has(fingerprint) && (id === undefined || !failsNow.has(id)),
  );
  const failures = inOrder(now, new Set(fresh));
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
    ...(difference === undefined ? {} : { difference }),
    places: sourcePlaces(failures),
    blame: blameFor(input, { changed, fresh, failures }),
    alike: alikeIn(input.window, failures[0]),
  };
}

/** The places, each once, in the order in which they first come. */
export function uniquePlaces(places: readonly Place[]): Place[] {
  const seen = new Set<string>();
  return places.filter(({ file, line }) => {
    const key = `${file}:${line ?? ''}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The first edit that answers for the result; the first of all where none does. */
export function blamedHunk({ blame, hunks, input }: Evidence): Hunk | undefined {
  const files = new Set(blame.indices.map((index) => input.trajectory.actions[index]?.file_path));
  return hunks.find(({ file }) => files.has(file)) ?? hunks[0];
}

/** True for files by whose name or folder every common runner knows a test. */
export function isTestFile(file: string): boolean {
  return /(^|\/)(__tests__|tests?|specs?)\/|[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)test[._-][^/]*$/.test(file);
}

/** Files that a failure names: its own and those of its frames. */
export function filesOf({ file, frames }: Diagnostic): string[] {
  return [...(file === undefined ? [] : [file]), ...(frames ?? []).map((frame) => frame.file)];
}

const FIRST: readonly Diagnostic['type'][] = [
  'syntax_error',
  'type_error',
  'runtime_error',
  'timeout',
  'test_failure',
  'logic_error',
  'lint_error',
  'other',
];

/** What others hang on comes first; among equals what this attempt brought, then the better placed. */
function inOrder(failures: readonly Diagnostic[], fresh: ReadonlySet<Diagnostic>): Diagnostic[] {
  const rank = (failure: Diagnostic): number =>
    FIRST.indexOf(failure.type) * 4 + (fresh.has(failure) ? 0 : 2) + (failure.line === undefined ? 1 : 0);
  return [...failures].sort((a, b) => rank(a) - rank(b));
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : diagnostics;
}

function fingerprints(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ fingerprint }) => fingerprint));
}

/** By the patch alone: an actor's own list of edits is only what it says. */
function changedFiles(patch: string, hunks: readonly Hunk[]): string[] {
  const headers = [...patch.matchAll(/^diff --git "?a\/.+? "?b\/(.+?)"?$/gm)].map((match) => match[1]!);
  return [...new Set([...headers, ...hunks.map(({ file }) => file)])];
}

function testIds(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ test_id }) => test_id).filter((id) => id !== undefined));
}

/** Failures that are looked through for places. */
const MAX_FAILURES = 50;
const MAX_PLACES = 20;
const EDITS = new Set(['code_modification', 'file_creation', 'file_deletion']);

/** A failure that is gone is fixed only if what had reported it ran again. */
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
    const own = file === undefined ? [] : [{ file, ...(line === undefined ? {} : { line }) }];
    return [...(frames ?? []), ...own];
  });
  return uniquePlaces(places.filter(({ file }) => !isTestFile(file))).slice(0, MAX_PLACES);
}

function blameFor(
  { trajectory, tampering }: ReflectionInput,
  found: Pick<Evidence, 'changed' | 'fresh' | 'failures'>,
): Blame {
  const touched = new Set(tampering.flatMap(({ file }) => (file === '' ? [] : [plain(file)])));
  const foul = trajectory.actions.flatMap(({ file_path }, index) =>
    file_path !== undefined && touched.has(plain(file_path)) ? [index] : [],
  );
  if (foul.length > 0) return { indices: foul, ground: 'tampered' };
  const changed = new Set(found.changed.map(plain));
  const edits = trajectory.actions.flatMap(({ type, file_path }, index) =>
    EDITS.has(type) && file_path !== undefined && changed.has(plain(file_path)) ? [index] : [],
  );
  if (edits.length === 0) return { indices: [], ground: 'no_edit' };
  const namedBy = (failures: readonly Diagnostic[]): number[] => {
    const files = new Set(failures.flatMap(filesOf).map(plain));
    return edits.filter((index) => files.has(plain(trajectory.actions[index]!.file_path!)));
  };
  const byNew = namedBy(found.fresh);
  if (byNew.length > 0) return { indices: byNew, ground: 'named_by_new' };
  if (found.fresh.length > 0) return { indices: edits, ground: 'broke_something' };
  const byOld = namedBy(found.failures);
  if (byOld.length > 0) return { indices: byOld, ground: 'named_by_old' };
  return { indices: edits, ground: 'changed_nothing' };
}

function plain(path: string): string {
  return path.replace(/^\.?\/+/, '');
}

function alikeIn(window: readonly Reflection[], lead: Diagnostic | undefined): Reflection[] {
  if (lead === undefined) return [];
  const failedSo = ({ evaluator_output }: Reflection): boolean =>
    evaluator_output.errors.some(({ fingerprint }) => fingerprint === lead.fingerprint);
  return window.filter(failedSo).sort((a, b) => a.iteration - b.iteration);
}
