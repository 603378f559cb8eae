import { shownEdit } from '../../../schema/shown-edit.ts';
import type { AttemptOutcome } from '../../../ports/memory.ts';
import type { Diagnostic, LessonEvidence, LessonSource } from '../../../schema/generated.ts';
import type { Grounds, LessonCandidate } from '../../lessons/contract.ts';
import { lessonClaimsOf, renderLessonClaim } from '../../../prompts/lesson-claims.ts';
import { compareFailures } from '../../../schema/compare-failures.ts';
import { hasName, namesIn } from '../../text/names.ts';
import { recallTerms } from '../../text/recall-terms.ts';
import { subjectOf, typeOf } from './lesson-type.ts';

const MAX = { quotes: 3, quoteChars: 300, editChars: 200, files: 10, fingerprints: 20 } as const;
const LEAST_QUOTE_CHARS = 4;
const DEFAULT_CONFIDENCE = 0.5;

/**
 * The lessons that a model's reflection proposes, as advice, each with a passage of the record that has a name which it
 * mentions. A lesson of which the record has no name is left out. The rules' own lessons are made from their claims instead.
 */
export function draftsOf(outcome: AttemptOutcome): LessonCandidate[] {
  const { reflection, evaluation, previous } = outcome;
  if (reflection === undefined || reflection.reflector.name === 'rules') return [];
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  const importance = Math.min(1, 0.4 + Math.abs(evaluation.reward - previous.reward) / 2);
  const record = recordOf(outcome);
  const own = new Set(claimedBy(outcome).map(({ text }) => text));
  return reflection.self_reflection.lessons_learned.flatMap((text): LessonCandidate[] => {
    if (own.has(text)) return [];
    const evidence = evidenceFor(text, record);
    if (evidence.length === 0) return [];
    const failures = failuresIn(text, failing);
    return [
      {
        text,
        type: typeOf(text, outcome, failures),
        subject: subjectOf(outcome),
        source: sourceOf(outcome),
        evidence: evidence.map((one) => ({ ...one, ...placeOf(outcome) })),
        claim: { kind: 'advice' },
        confidence: reflection.self_reflection.confidence,
        importance,
        files: filesOf(failures, outcome, text),
        fingerprints: failures.map(({ fingerprint }) => fingerprint).slice(0, MAX.fingerprints),
      },
    ];
  });
}

const TYPE_OF_CLAIM = {
  edit_works: 'fix_pattern',
  edit_insufficient: 'pitfall',
  file_decides_failure: 'fix_pattern',
} as const;

/**
 * The lessons that an attempt itself shows, whoever reflected on it: those with a claim, and the search actor's pattern
 * where no claim says which edit worked. None for a tree that the loop had before.
 */
export function shownBy(outcome: AttemptOutcome): LessonCandidate[] {
  if (outcome.isSeenTree === true) return [];
  const claimed = claimedBy(outcome).filter((candidate) => isSaid(candidate, outcome));
  const saysEdit = claimed.some(({ claim }) => claim?.kind === 'edit_works');
  return saysEdit ? claimed : [...claimed, ...fixPatternOf(outcome)];
}

/** False for a lesson that the reflector, which knows which test ran the edit, did not draw from the attempt. */
function isSaid({ text, claim }: LessonCandidate, { reflection }: AttemptOutcome): boolean {
  if (claim?.kind !== 'edit_insufficient') return true;
  return reflection?.self_reflection.lessons_learned.includes(text) === true;
}

function claimedBy(outcome: AttemptOutcome): LessonCandidate[] {
  const { changes, ...rest } = outcome;
  const { patch, place } = changes;
  return lessonClaimsOf({ ...rest, patch, place, ranBy: 'any' }).flatMap((claim): LessonCandidate[] => {
    if (
      claim.kind !== 'edit_works' &&
      claim.kind !== 'edit_insufficient' &&
      claim.kind !== 'file_decides_failure'
    )
      return [];
    const fingerprints = (claim.failures ?? []).map(({ fingerprint }) => fingerprint);
    return [
      {
        text: renderLessonClaim(claim),
        type: TYPE_OF_CLAIM[claim.kind],
        subject: 'project',
        source: { pass: 'reflection', ...placeOf(outcome) },
        evidence: quoteOf(claim.after || claim.before || claim.file || '', claim.file).map((one) => ({
          ...one,
          ...placeOf(outcome),
        })),
        claim,
        confidence: claim.kind === 'edit_works' && outcome.evaluation.passed ? 0.8 : DEFAULT_CONFIDENCE,
        importance: 0.5,
        files: claim.file === undefined ? [] : [claim.file],
        fingerprints: fingerprints.slice(0, MAX.fingerprints),
      },
    ];
  });
}

/** A fix pattern from the search actor's accepted edit; none where the attempt was not the best or fixed no failure. */
function fixPatternOf({
  trajectory,
  evaluation,
  previous,
  best,
  ...outcome
}: AttemptOutcome): LessonCandidate[] {
  const { accepted } = trajectory;
  const fixed = compareFailures(previous, evaluation).fixed.map(({ fingerprint }) => fingerprint);
  if (accepted === undefined || !best || fixed.length === 0) return [];
  const { operator, file_path, test_file } = accepted;
  const edit = shownEdit(accepted.edit);
  const change = edit.startsWith(`${file_path}: `) ? edit.slice(file_path.length + 2) : edit;
  const shown = change.length > MAX.editChars ? `${change.slice(0, MAX.editChars)}…` : change;
  return [
    {
      text: `In ${file_path} the \`${operator}\` edit ${JSON.stringify(shown)} fixed failures of ${test_file}.`,
      type: 'fix_pattern',
      subject: 'project',
      source: sourceOf(outcome),
      evidence: [{ quote: edit.slice(0, MAX.quoteChars), file: file_path, ...placeOf(outcome) }],
      confidence: evaluation.passed ? 0.8 : DEFAULT_CONFIDENCE,
      importance: 0.5,
      files: [file_path, test_file],
      fingerprints: fixed.slice(0, MAX.fingerprints),
    },
  ];
}

/** Texts that quotes are looked up in: output of the checks and of the actor's tools, not the actor's statements. */
export function groundsOf({ evaluation, trajectory, changes }: AttemptOutcome): Grounds {
  const errors = evaluation.diagnostics.flatMap(({ message, rule, file, expected, received, test_id }) => [
    message,
    rule,
    file,
    expected,
    received,
    test_id,
  ]);
  const checks = evaluation.checks.flatMap(({ output, command, detail }) => [output, command, detail]);
  const actions = trajectory.actions.flatMap(({ command, file_path, changes }) => [
    command,
    file_path,
    changes?.diff,
  ]);
  const files = changes.files.map(({ path }) => path);
  // Without the marks of a diff, so that code that spans several lines can be quoted.
  const code = changes.patch.replace(/^[+-]/gm, '');
  const texts = [...errors, ...checks, ...actions, ...files, code, trajectory.accepted?.edit];
  return { kind: 'texts', texts: texts.filter((text) => text !== undefined).filter((text) => text !== '') };
}

/** The failures whose file or rule a text mentions; all failures where it mentions none. */
function failuresIn(text: string, failing: readonly Diagnostic[]): readonly Diagnostic[] {
  const terms = new Set(recallTerms(text));
  const mentioned = failing.filter(({ file, rule, frames }) =>
    [file, rule, ...(frames ?? []).map((frame) => frame.file)].some(
      (name) => name !== undefined && name !== '' && (text.includes(name) || terms.has(name.toLowerCase())),
    ),
  );
  return mentioned.length > 0 ? mentioned : failing;
}

/** Texts that the names in a lesson are looked up in: the grounds and the places of the failures. */
function recordOf(outcome: AttemptOutcome): string[] {
  const grounds = groundsOf(outcome);
  return grounds.kind === 'texts' ? [...grounds.texts] : [];
}

/** Names that look like a repository's own and are none. */
const GENERAL_NAMES = new Set(['NaN', 'JavaScript', 'TypeScript', 'ESLint', 'GitHub', 'Node.js']);

/** Lines of the record that have a name of the lesson; what else it names was looked up in the tree of the attempt. */
function evidenceFor(text: string, record: readonly string[]): LessonEvidence[] {
  const names = namesIn(text).filter((name) => !GENERAL_NAMES.has(name));
  if (names.length === 0) return [];
  const lines = record.flatMap((one) => one.split('\n'));
  const quotes = names
    .flatMap((name) => lines.find((row) => hasName(row, name)) ?? [])
    .flatMap((row) => quoteOf(row));
  const unique = new Map(quotes.map((one) => [one.quote, one]));
  return [...unique.values()].slice(0, MAX.quotes);
}

/** The first line with at least four characters; none where there is no such line. */
function quoteOf(text: string, file?: string): LessonEvidence[] {
  const quote = text.split('\n').find((row) => row.replace(/\s/g, '').length >= LEAST_QUOTE_CHARS);
  return quote === undefined ? [] : [{ quote: quote.trim().slice(0, MAX.quoteChars), file }];
}

function filesOf(failures: readonly Diagnostic[], { changes }: AttemptOutcome, text: string): string[] {
  const failing = failures.flatMap(({ file, frames }) => [
    file,
    ...(frames ?? []).map((frame) => frame.file),
  ]);
  const changed = changes.files.map(({ path }) => path).filter((path) => text.includes(path));
  const files = [...changed, ...failing].filter((file) => file !== undefined);
  return [...new Set(files)].slice(0, MAX.files);
}

function sourceOf({
  reflection,
  ...outcome
}: Pick<AttemptOutcome, 'loopId' | 'iteration' | 'reflection'>): LessonSource {
  return { pass: 'reflection', ...placeOf(outcome), model: reflection?.reflector.model };
}

function placeOf({
  loopId,
  iteration,
}: Pick<AttemptOutcome, 'loopId' | 'iteration'>): Pick<LessonEvidence, 'loop_id' | 'iteration'> {
  return { loop_id: loopId, iteration: iteration - 1 };
}
