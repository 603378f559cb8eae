import { LEFT_OUT } from '../platform/redaction/unsafe-text.ts';
import { changedFiles, changesLineEnds, parseHunks, type Hunk } from '../platform/text/patch-hunks.ts';
import { codeSpan } from '../platform/text/code-span.ts';
import type { EditPlace } from '../platform/git/edit-place.ts';
import { redact } from '../platform/redaction/redact.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import type { ClaimedFailure, Diagnostic, Evaluation, LessonClaim } from '../schema/generated.ts';
import { cutAroundDifference, renderEditSides } from './edit-sides.ts';
import {
  failureName,
  firstSentence,
  isTestFile,
  joinList,
  oneLine,
  renderPlace,
  shownCode,
} from './phrases.ts';

/** An attempt from which lessons are derived. */
export interface ClaimSource {
  /** Unified diff against the tree that the attempt started from. */
  readonly patch: string;
  /** Where the only change stands in its file. */
  readonly place?: EditPlace | undefined;
  /** The attempt whose tree it started from; 0 or absent: the tree that the loop began with. */
  readonly startedFrom?: number | undefined;
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /**
   * Id of the test that was seen to run the edited lines: only of that test, and of errors of tools on these lines, is it known
   * that the edit did not fix them. `any` for one claim per failing test, from which the reader chooses.
   */
  readonly ranBy?: string | undefined;
  /** Ids of fixed tests that were seen to run the edit: only of these is it said that it fixed them. Absent where nobody looked. */
  readonly fixesSeen?: readonly string[] | undefined;
}

/** Characters of each side of an edit in a lesson. */
const CODE_CHARS = 80;
/** Characters of a line beside it. */
const PLACE_CHARS = 60;

const MAX = { failures: 20, code: 2000, name: 300 } as const;

/**
 * The lessons that an attempt shows. Only an attempt that changed a single file, and nothing that the verdict
 * depends on, shows what an edit of that file did, and only if no earlier attempt of the loop had changed anything before:
 * otherwise it may be a half of the fix. With one changed place, the lesson is about that edit; with several, about the file.
 */
export function lessonClaimsOf({
  patch,
  place,
  startedFrom = 0,
  evaluation,
  previous,
  ranBy,
  fixesSeen,
}: ClaimSource): LessonClaim[] {
  const hunks = parseHunks(patch);
  const files = changedFiles(patch);
  const [hunk] = hunks;
  if (startedFrom !== 0 || hunk === undefined || files.length !== 1 || isTestFile(hunk.file)) return [];
  // Every line is another one: what did it is not told from the rest.
  if (hunks.some(changesLineEnds)) return [];
  if ((evaluation.tampering ?? []).length > 0) return [];
  const { fixed, same, moved, fresh, unseen } = compareFailures(previous, evaluation);
  const edit = claimedEdit(hunk.removed.join('\n'), hunk.added.join('\n'));
  if (renderEditSides(edit.before, edit.after, CODE_CHARS) === undefined || hidesCode(hunks)) return [];
  const isSingle = hunks.length === 1 && hunk.isOneChange;
  const own = { file: hunk.file, ...edit, ...(place && { place: { ...place, within: [...place.within] } }) };
  // The same error of a tool is gone at one place and there at another: neither sentence is true of it.
  const left = [...same, ...moved].filter(({ type }) => type !== 'lint_error');
  if (fixed.some(isIn(left))) return [];
  const changesNothing =
    evaluation.delta?.code_as_it_was === true ||
    PROSE.test(hunk.file) ||
    hunks.every(({ removed, added }) => [...removed, ...added].every(isRemark));
  if (fixed.length > 0 && fresh.length + unseen.length === 0) {
    const names = new Set([...same, ...moved].map(claimedName));
    const failures = toClaimed(
      fixed.filter(
        (one) =>
          isByEdit(one, { changesNothing, fixesSeen }) && isNameable(one) && !names.has(claimedName(one)),
      ),
    );
    if (failures.length === 0) return [];
    return isSingle
      ? [{ kind: 'edit_works', ...own, failures }]
      : [{ kind: 'file_decides_failure', file: hunk.file, failures }];
  }
  if (!isSingle || fixed.length > 0 || left.length === 0 || unseen.length > 0) return [];
  // Nothing imports a file that is the only change and new.
  if (hunk.isNewFile || changesNothing) return [];
  const isWritten = (line: number | undefined): boolean => line !== undefined && hunk.addedAt.includes(line);
  const ownErrors = left.filter(
    (one) =>
      one.test_id === undefined &&
      one.file === hunk.file &&
      isWritten(one.line) &&
      wasReported(one, previous),
  );
  const tests = left
    .filter(isNameable)
    .filter(({ test_id: id }) => id !== undefined && (ranBy === 'any' || id === ranBy));
  return [...tests.map((test) => [test]), ...(ownErrors.length === 0 ? [] : [ownErrors])].map((failures) => ({
    kind: 'edit_insufficient',
    ...own,
    failures: toClaimed(failures),
  }));
}

/**
 * False for a test that was not seen to run the edit, and for whatever is no error of a tool after an edit of comments or texts:
 * it may pass by the clock. Tools read comments too.
 */
function isByEdit(
  { test_id: id, type }: Diagnostic,
  { changesNothing, fixesSeen }: Pick<ClaimSource, 'fixesSeen'> & { readonly changesNothing: boolean },
): boolean {
  if (id === undefined && TOOL_ERRORS.has(type)) return true;
  return !changesNothing && (id === undefined || fixesSeen === undefined || fixesSeen.includes(id));
}

/** True for an error that was there in these words: of another one the lesson would say that it was there before. */
function wasReported({ check, rule, message }: Diagnostic, { diagnostics }: Evaluation): boolean {
  return diagnostics.some((one) => one.check === check && one.rule === rule && one.message === message);
}

/**
 * True if the edit takes code away from a tool instead of changing it: the file has no code any more, or a comment is opened around
 * it. That the errors are gone then teaches nothing.
 */
function hidesCode(hunks: readonly Hunk[]): boolean {
  const added = hunks.flatMap((hunk) => hunk.added);
  if (added.some((line) => /\/\*/.test(line) && !/\*\//.test(line))) return true;
  const [hunk] = hunks;
  return hunk !== undefined && hunk.isWhole && added.every(isRemark);
}

/** False for a title that must not be shown. */
function isNameable(failure: Diagnostic): boolean {
  return !failureName(failure).includes(LEFT_OUT);
}

const TOOL_ERRORS: ReadonlySet<Diagnostic['type']> = new Set(['lint_error', 'type_error', 'syntax_error']);

const isIn =
  (failures: readonly Diagnostic[]) =>
  ({ fingerprint }: Diagnostic): boolean =>
    failures.some((one) => one.fingerprint === fingerprint);

/** Files without code: that an edit of one of them fixed nothing is no news. */
const PROSE = /\.(?:md|markdown)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS)$/i;

/** True for a blank line and for a comment to the end of the line that no tool reads. */
function isRemark(line: string): boolean {
  return /^\s*(?:\/\/(?!.*(?:@ts-|eslint|c8|istanbul|v8|@jest|@vitest)).*)?$/.test(line);
}

/** The lesson as a sentence; empty for a kind whose text is not made from its claim, and for an edit that cannot be shown. */
export function renderLessonClaim(claim: LessonClaim): string {
  const { kind, check, command } = claim;
  const file = renderPlace({ file: claim.file ?? '' });
  const failures = joinList(
    (claim.failures ?? []).map(({ name }) => name),
    1,
  );
  switch (kind) {
    case 'edit_works':
    case 'edit_insufficient': {
      const edit = renderEdit(claim);
      const effect = kind === 'edit_works' ? 'fixed' : 'alone did not fix';
      return edit === '' ? '' : `In ${file}, ${edit}${renderWhere(claim)} ${effect} ${failures}.`;
    }
    case 'file_decides_failure':
      return `Changes in ${file} alone fixed ${failures}.`;
    case 'command_fact':
      return `The ${check ?? ''} check runs ${codeSpan(command ?? '')}.`;
    default:
      return '';
  }
}

/** Empty for an edit that cannot be shown. */
function renderEdit({ before = '', after = '' }: LessonClaim): string {
  const sides = renderEditSides(before, after, CODE_CHARS);
  if (sides === undefined) return '';
  const { from, to } = sides;
  if (from === '') return `adding ${to}`;
  return to === '' ? `removing ${from}` : `changing ${from} to ${to}`;
}

/** Where the edit was made, if it would fit another place of the file too: the lines around it tell the places apart. */
function renderWhere({ place, before = '' }: LessonClaim): string {
  if (place?.repeated !== true) return '';
  const { within, above, below, nth, of } = place;
  const head = within.at(-1) ?? '';
  const isFirst = above === '' || (above === head && before !== '');
  const parts = [
    isFirst ? '' : `after ${shownLine(above)}`,
    above === '' && before === '' && below !== '' ? `before ${shownLine(below)}` : '',
    head === '' || (above === head && !isFirst) ? '' : `below ${shownLine(head)}`,
    of > 1 ? `place ${nth} of ${of} such places` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function shownLine(line: string): string {
  return shownCode(redact(line), PLACE_CHARS);
}

function toClaimed(failures: readonly Diagnostic[]): ClaimedFailure[] {
  return failures.slice(0, MAX.failures).map((failure) => ({
    fingerprint: failure.fingerprint,
    name: claimedName(failure).slice(0, MAX.name),
    test_id: failure.test_id,
  }));
}

/** The name of a failure in a lesson. An error of a tool has its message, because a code such as TS2322 stands for many errors. */
export function claimedName(failure: Diagnostic): string {
  const name = failureName(failure);
  return name.startsWith('the test ') ? name : `${name} (${oneLine(firstSentence(failure.message), 120)})`;
}

/** Both sides of an edit as a claim stores them, without secrets: of very long ones, the part with the difference. */
export function claimedEdit(
  removed: string,
  added: string,
): { readonly before: string; readonly after: string } {
  const [before, after] = cutAroundDifference(removed, added, MAX.code);
  return { before, after };
}
