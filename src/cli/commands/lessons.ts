import type { ChalkInstance } from 'chalk';
import { usageError } from '../../errors.ts';
import type { Admission, AuditRow, LessonStore } from '../../memory/lessons/contract.ts';
import { LESSON_STATUSES, LESSON_SUBJECTS, LESSON_TYPES } from '../../memory/lessons/kinds.ts';
import { FORGOTTEN_BY_USER } from '../../memory/lessons/status-reasons.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { findLessons } from '../../memory/recall/search-lessons.ts';
import { heldBack } from '../../memory/recall/held-back.ts';
import type { Lesson } from '../../schema/generated.ts';
import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { knownWord, resolveLesson } from '../lesson-words.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

export interface FilterOptions extends OutputOptions {
  readonly status?: readonly string[];
  readonly type?: readonly string[];
  readonly file?: string;
  readonly limit?: string;
}

export interface AddOptions extends OutputOptions {
  readonly type?: string;
  readonly subject?: string;
  readonly file?: readonly string[];
  readonly supersedes?: string;
  readonly pin?: boolean;
}

const NONE = 'No lessons yet: loops learn them from attempts, and you can state one: ralph lessons add "…"';

/** `ralph lessons list`. */
export async function listLessons(options: FilterOptions): Promise<void> {
  await printFound('', options, NONE);
}

/** `ralph lessons search`. */
export async function searchLessons(words: readonly string[], options: FilterOptions): Promise<void> {
  await printFound(words.join(' '), options, 'Nothing matches.');
}

/** `ralph lessons show ID`. */
export async function showLesson(text: string, options: OutputOptions): Promise<void> {
  const { root, store } = open();
  const lesson = resolveLesson(text, await store.list(LESSON_STATUSES));
  const reason = heldBack(lesson, root);
  const value = { ...lesson, held_back: reason ?? null };
  printResult(options, value, (chalk) => renderWhole(lesson, reason, chalk));
}

/** `ralph lessons add TEXT…`; exit 2 where the gate refuses it. */
export async function addLesson(words: readonly string[], options: AddOptions): Promise<void> {
  const { store } = open();
  const { supersedes, pin } = options;
  const replaced =
    supersedes === undefined ? undefined : resolveLesson(supersedes, await store.list(LESSON_STATUSES)).id;
  const candidate = {
    text: words.join(' '),
    type: options.type === undefined ? 'convention' : knownWord('--type', options.type, LESSON_TYPES),
    subject:
      options.subject === undefined ? 'project' : knownWord('--subject', options.subject, LESSON_SUBJECTS),
    source: { pass: 'user' },
    evidence: [],
    confidence: 0.9,
    importance: 0.8,
    files: options.file ?? [],
    ...(replaced !== undefined && { supersedes: replaced }),
  } as const;
  const [admission] = await store.admit([candidate], { kind: 'stated' });
  const { outcome, reason, lesson } = admission!;
  if (lesson === undefined) throw refusedError(admission!);
  const kept = pin === true ? await store.pin(lesson.id, true) : lesson;
  printResult(options, { outcome, reason, lesson: kept }, (chalk) => [
    `${chalk.bold(kept.id)}  ${chalk.cyan(outcome)}: ${line(reason)}`,
    `  ${line(kept.text)}`,
  ]);
}

/** `ralph lessons pin|unpin ID`. */
export async function pinLesson(text: string, pinned: boolean, options: OutputOptions): Promise<void> {
  const { store } = open();
  const known = resolveLesson(text, await store.list(LESSON_STATUSES));
  if (pinned && (known.status === 'archived' || known.status === 'superseded'))
    throw usageError(
      `${known.id} is ${known.status}: no attempt is told of it.`,
      `State it again first: ralph lessons add ${JSON.stringify(known.text)}`,
    );
  const lesson = await store.pin(known.id, pinned);
  printResult(options, lesson, (chalk) => renderShort(lesson, chalk));
}

/** `ralph lessons forget ID`. */
export async function forgetLesson(
  text: string,
  options: OutputOptions & { reason?: string },
): Promise<void> {
  const { store } = open();
  const known = resolveLesson(text, await store.list(LESSON_STATUSES));
  const reason = options.reason?.trim() ?? '';
  const lesson = await store.archive(
    known.id,
    reason === '' ? `${FORGOTTEN_BY_USER}.` : `${FORGOTTEN_BY_USER}: ${reason}`,
  );
  printResult(options, lesson, (chalk) => renderShort(lesson, chalk));
}

/** `ralph lessons history [ID]`. */
export async function lessonHistory(text: string | undefined, options: OutputOptions): Promise<void> {
  const { store } = open();
  const id = text === undefined ? undefined : resolveLesson(text, await store.list(LESSON_STATUSES)).id;
  const rows = await store.history(id);
  printResult(options, rows, (chalk) =>
    rows.length === 0 ? ['Nothing was done with lessons yet.'] : rows.map((row) => renderRow(row, chalk)),
  );
}

function open(): { readonly root: string; readonly store: LessonStore } {
  const root = findRepositoryRoot(process.cwd());
  const onDamaged = (text: string): void => void process.stderr.write(`ralph: ${printable(text)}\n`);
  return { root, store: createLessonStore({ repositoryRoot: root, onDamaged }) };
}

async function printFound(words: string, options: FilterOptions, none: string): Promise<void> {
  const { status, type, file, limit } = options;
  const query = {
    words,
    ...(status !== undefined && { statuses: statusesOf(status) }),
    ...(type !== undefined && { types: type.map((name) => knownWord('--type', name, LESSON_TYPES)) }),
    ...(file !== undefined && { file }),
    ...(limit !== undefined && { limit: wholeNumber(limit) }),
  };
  const found = findLessons(await open().store.list(LESSON_STATUSES), query);
  printResult(options, found, (chalk) =>
    found.length === 0 ? [none] : found.flatMap((lesson) => renderShort(lesson, chalk)),
  );
}

function statusesOf(names: readonly string[]): readonly Lesson['status'][] {
  const known = names.map((name) => knownWord('--status', name, [...LESSON_STATUSES, 'all'] as const));
  return LESSON_STATUSES.filter((status) => known.includes('all') || known.includes(status));
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 1) return value;
  throw usageError(`--limit ${text}: it must be a whole number, 1 or more.`);
}

function refusedError({ step, reason }: Admission): Error {
  return usageError(
    `The lesson is refused (${step ?? 'gate'}): ${reason}`,
    step === 'conflict'
      ? 'See it: ralph lessons show ID. Unpin or forget it first, if it no longer holds.'
      : 'Say it in other words: a statement about this repository, of at most 1000 characters.',
  );
}

function renderShort(lesson: Lesson, chalk: ChalkInstance): string[] {
  const { id, type, status, pinned, confidence, support, contradiction, text } = lesson;
  const facts = `${chalk.cyan(type)}  ${status}${pinned ? ', pinned' : ''}  confidence ${confidence.toFixed(2)}  +${support} −${contradiction}`;
  return [`${chalk.bold(id)}  ${facts}`, `  ${line(text)}`];
}

function renderWhole(lesson: Lesson, reason: string | undefined, chalk: ChalkInstance): string[] {
  const { source, evidence, files, fingerprints, subject, importance, status_reason, superseded_by } = lesson;
  const [from, attempt] = [source.loop_id, source.iteration];
  const place =
    from === undefined ? '' : ` in ${from}${attempt === undefined ? '' : `, attempt ${attempt + 1}`}`;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [chalk.bold(title), ...items.map((item) => `  - ${line(item)}`)];
  return [
    ...renderShort(lesson, chalk),
    `  about the ${subject}, importance ${importance.toFixed(2)}, from ${source.pass}${line(place)}`,
    `  made ${lesson.created_at}, changed ${lesson.updated_at}`,
    ...(status_reason === undefined ? [] : [`  ${lesson.status}: ${line(status_reason)}`]),
    ...(superseded_by === undefined ? [] : [`  superseded by ${superseded_by}`]),
    ...(reason === undefined ? [] : [`  ${chalk.yellow('held back')}: ${line(reason)}`]),
    ...list(
      'Evidence',
      evidence.map(({ quote, file }) => `${quote}${file === undefined ? '' : ` (${file})`}`),
    ),
    ...list('Files', files),
    ...list('Failures', fingerprints),
  ];
}

function renderRow({ at, action, lessonId, text, reason }: AuditRow, chalk: ChalkInstance): string {
  const what = lessonId ?? JSON.stringify(text.slice(0, 80));
  return `${at.slice(0, 19).replace('T', ' ')}  ${chalk.cyan(action.padEnd(16))} ${line(what)}  ${line(reason)}`;
}

function line(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
