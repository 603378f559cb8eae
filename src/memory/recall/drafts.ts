import type { AttemptOutcome } from '../../ports.ts';
import type { Diagnostic, LessonEvidence, LessonSource } from '../../schema/generated.ts';
import type { Grounds, LessonCandidate } from '../lessons/contract.ts';
import { termsOf } from './terms.ts';
import { subjectOf, typeOf } from './lesson-type.ts';

const MAX_QUOTES = 3;
const MAX_QUOTE = 300;
const MAX_EDIT = 200;
const MAX_FILES = 10;
const MAX_FINGERPRINTS = 20;
const PLAIN_CONFIDENCE = 0.5;

/** The lessons of an attempt's reflection, each with what the evaluator saw that it rests on. */
export function draftsOf(outcome: AttemptOutcome): LessonCandidate[] {
  const { reflection, evaluation, previous } = outcome;
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  const importance = Math.min(1, 0.4 + Math.abs(evaluation.reward - previous.reward) / 2);
  return (reflection?.self_reflection.lessons_learned ?? []).map((text) => {
    const about = aboutText(text, failing);
    return {
      text,
      type: typeOf(text, outcome, about),
      subject: subjectOf(outcome),
      source: sourceOf(outcome),
      evidence: evidenceOf(about, outcome),
      confidence: reflection!.self_reflection.confidence,
      importance,
      files: filesOf(about, outcome, text),
      fingerprints: about.map(({ fingerprint }) => fingerprint).slice(0, MAX_FINGERPRINTS),
    };
  });
}

/** What the search actor's edit mended, as a pattern for the next search; none where nothing was mended. */
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
  const what = edit.startsWith(`${file_path}: `) ? edit.slice(file_path.length + 2) : edit;
  return [
    {
      text: `In ${file_path} the \`${operator}\` edit ${JSON.stringify(what.length > MAX_EDIT ? `${what.slice(0, MAX_EDIT)}…` : what)} mended failures of ${test_file}.`,
      type: 'fix_pattern',
      subject: 'project',
      source: sourceOf(outcome),
      evidence: [{ quote: edit.slice(0, MAX_QUOTE), file: file_path, ...placeOf(outcome) }],
      confidence: evaluation.passed ? 0.8 : PLAIN_CONFIDENCE,
      importance: 0.5,
      files: [file_path, test_file],
      fingerprints: evaluation.delta.fixed.slice(0, MAX_FINGERPRINTS),
    },
  ];
}

/** What the evaluator and the actor's tools left: never what the actor says of itself. */
export function groundsOf({ evaluation, trajectory }: AttemptOutcome): Grounds {
  const errors = evaluation.diagnostics.flatMap(({ message, rule, file, expected, received, test_id }) => [
    ...[message, rule, file, expected, received, test_id],
  ]);
  const checks = evaluation.checks.flatMap(({ output, command, detail }) => [output, command, detail]);
  const actions = trajectory.actions.flatMap(({ command, file_path, changes }) => [
    command,
    file_path,
    changes?.diff,
  ]);
  const texts = [...errors, ...checks, ...actions, trajectory.accepted?.edit];
  return { kind: 'texts', texts: texts.flatMap((text) => (text === undefined || text === '' ? [] : [text])) };
}

/** The failures that a text speaks of; all of them where it names none. */
function aboutText(text: string, failing: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set(termsOf(text));
  const named = failing.filter(({ file, rule, frames }) =>
    [file, rule, ...(frames ?? []).map((frame) => frame.file)].some(
      (name) => name !== undefined && name !== '' && (text.includes(name) || said.has(name.toLowerCase())),
    ),
  );
  return named.length > 0 ? named : failing;
}

function evidenceOf(about: readonly Diagnostic[], outcome: AttemptOutcome): LessonEvidence[] {
  const { evaluation, trajectory } = outcome;
  const place = placeOf(outcome);
  const quotes = about.flatMap(({ message, file }) => quoteOf(message, file));
  const failed = evaluation.checks.filter(({ status }) => status === 'fail' || status === 'error');
  const spare = [
    ...failed.flatMap(({ detail }) => quoteOf(detail)),
    ...trajectory.actions.flatMap(({ command }) => quoteOf(command ?? '')),
  ];
  const chosen = quotes.length > 0 ? quotes.slice(0, MAX_QUOTES) : spare.slice(0, 1);
  return chosen.map((evidence) => ({ ...evidence, ...place }));
}

/** The first line that says something. */
function quoteOf(text: string, file?: string): LessonEvidence[] {
  const quote = text.split('\n').find((row) => row.replace(/\s/g, '').length >= 4);
  return quote === undefined
    ? []
    : [{ quote: quote.trim().slice(0, MAX_QUOTE), ...(file !== undefined && { file }) }];
}

function filesOf(about: readonly Diagnostic[], { changes }: AttemptOutcome, text: string): string[] {
  const failing = about.flatMap(({ file, frames }) => [file, ...(frames ?? []).map((frame) => frame.file)]);
  const changed = changes.files.map(({ path }) => path).filter((path) => text.includes(path));
  const files = [...changed, ...failing].filter((file) => file !== undefined);
  return [...new Set(files)].slice(0, MAX_FILES);
}

function sourceOf({
  loopId,
  iteration,
  reflection,
}: Pick<AttemptOutcome, 'loopId' | 'iteration' | 'reflection'>): LessonSource {
  const model = reflection?.reflector.model;
  return {
    pass: 'reflection',
    loop_id: loopId,
    iteration: iteration - 1,
    ...(model !== undefined && { model }),
  };
}

function placeOf({
  loopId,
  iteration,
}: Pick<AttemptOutcome, 'loopId' | 'iteration'>): Pick<LessonEvidence, 'loop_id' | 'iteration'> {
  return { loop_id: loopId, iteration: iteration - 1 };
}
