import type { AttemptOutcome } from '../../../ports.ts';
import type { Diagnostic, LessonEvidence, LessonSource } from '../../../schema/generated.ts';
import type { Grounds, LessonCandidate } from '../../lessons/contract.ts';
import { recallTerms } from '../../text/recall-terms.ts';
import { subjectOf, typeOf } from './lesson-type.ts';

const MAX = { quotes: 3, quoteChars: 300, editChars: 200, files: 10, fingerprints: 20 } as const;
const LEAST_QUOTE_CHARS = 4;
const DEFAULT_CONFIDENCE = 0.5;

/** The lessons of an attempt's reflection as candidates, each with quotes from the checks and tools as evidence. */
export function draftsOf(outcome: AttemptOutcome): LessonCandidate[] {
  const { reflection, evaluation, previous } = outcome;
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  const importance = Math.min(1, 0.4 + Math.abs(evaluation.reward - previous.reward) / 2);
  return (reflection?.self_reflection.lessons_learned ?? []).map((text) => {
    const failures = failuresIn(text, failing);
    return {
      text,
      type: typeOf(text, outcome, failures),
      subject: subjectOf(outcome),
      source: sourceOf(outcome),
      evidence: evidenceOf(failures, outcome),
      confidence: reflection!.self_reflection.confidence,
      importance,
      files: filesOf(failures, outcome, text),
      fingerprints: failures.map(({ fingerprint }) => fingerprint).slice(0, MAX.fingerprints),
    };
  });
}

/** A fix pattern from the search actor's accepted edit; none where the attempt was not the best or fixed no failure. */
export function fixPatternOf({
  trajectory,
  evaluation,
  best,
  ...outcome
}: AttemptOutcome): LessonCandidate[] {
  const { accepted } = trajectory;
  if (accepted === undefined || !best || evaluation.delta.fixed.length === 0) return [];
  const { operator, file_path, test_file } = accepted;
  const edit = accepted.edit.replace(/ @[0-9a-f]+( ~[0-9a-f]+)?$/, '');
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
      fingerprints: evaluation.delta.fixed.slice(0, MAX.fingerprints),
    },
  ];
}

/** Texts that quotes are looked up in: output of the checks and of the actor's tools, not the actor's statements. */
export function groundsOf({ evaluation, trajectory }: AttemptOutcome): Grounds {
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
  const texts = [...errors, ...checks, ...actions, trajectory.accepted?.edit];
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

/** Messages of the failures; without a quotable message, one detail of a failed check or one command. */
function evidenceOf(failures: readonly Diagnostic[], outcome: AttemptOutcome): LessonEvidence[] {
  const { evaluation, trajectory } = outcome;
  const place = placeOf(outcome);
  const quotes = failures.flatMap(({ message, file }) => quoteOf(message, file));
  const failed = evaluation.checks.filter(({ status }) => status === 'fail' || status === 'error');
  const spare = [
    ...failed.flatMap(({ detail }) => quoteOf(detail)),
    ...trajectory.actions.flatMap(({ command }) => quoteOf(command ?? '')),
  ];
  const chosen = quotes.length > 0 ? quotes.slice(0, MAX.quotes) : spare.slice(0, 1);
  return chosen.map((evidence) => ({ ...evidence, ...place }));
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
