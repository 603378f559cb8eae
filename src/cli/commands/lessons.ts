import type { ChalkInstance } from 'chalk';
import { usageError } from '../../errors.ts';
import type { Admission, AuditRow, LessonStore } from '../../memory/lessons/contract.ts';
import { LESSON_STATUSES, LESSON_SUBJECTS, LESSON_TYPES } from '../../memory/lessons/kinds.ts';
import { FORGOTTEN_BY_USER } from '../../memory/lessons/status-reasons.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { heldBack } from '../../memory/recall/held-back.ts';
import { findLessons } from '../../memory/recall/search-lessons.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { Lesson, LessonStatus } from '../../schema/generated.ts';
import { oneLine, printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseChoice, parseWholeNumber } from '../values.ts';
import { resolveLesson } from './lessons-resolve.ts';

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

const NONE = 'No lessons yet. Loops learn them from attempts; to add one: ralph lessons add "…"';

/** `ralph lessons list`. */
export async function listLessons(options: FilterOptions): Promise<void> {
  await printFound('', options, NONE);
}

/** `ralph lessons search`. */
export async function searchLessons(words: readonly string[], options: FilterOptions): Promise<void> {
  await printFound(words.join(' '), options, 'Nothing matches.');
}

/** `ralph lessons show ID`. */
export async function showLesson(id: string, options: OutputOptions): Promise<void> {
  const { root, store } = openStore();
  const lesson = resolveLesson(id, await store.list(LESSON_STATUSES));
  const reason = heldBack(lesson, root);
  printResult(options, { ...lesson, held_back: reason ?? null }, (chalk) =>
    renderDetails(lesson, reason, chalk),
  );
}

/** `ralph lessons add TEXT…`; exit 2 if the gate refuses it. */
export async function addLesson(words: readonly string[], options: AddOptions): Promise<void> {
  const { root, store } = openStore();
  const { type, subject, supersedes, pin } = options;
  const replaced =
    supersedes === undefined ? undefined : resolveLesson(supersedes, await store.list(LESSON_STATUSES)).id;
  const candidate = {
    text: words.join(' '),
    type: type === undefined ? 'convention' : parseChoice('--type', type, LESSON_TYPES),
    subject: subject === undefined ? 'project' : parseChoice('--subject', subject, LESSON_SUBJECTS),
    source: { pass: 'user' },
    evidence: [],
    confidence: 0.9,
    importance: 0.8,
    files: options.file ?? [],
    supersedes: replaced,
  } as const;
  const [admission] = await store.admit([candidate], { kind: 'stated' });
  const { outcome, reason, lesson } = admission!;
  if (lesson === undefined) throw refusedError(admission!);
  const stored = pin === true ? await store.pin(lesson.id, true) : lesson;
  const held = heldBack(stored, root);
  printResult(options, { outcome, reason, lesson: stored, held_back: held ?? null }, (chalk) => [
    `${chalk.bold(stored.id)}  ${chalk.cyan(outcome)}: ${oneLine(reason)}`,
    `  ${oneLine(stored.text)}`,
    ...(held === undefined ? [] : [`  held back: ${oneLine(held)}`]),
  ]);
}

/** `ralph lessons pin|unpin ID`. */
export async function pinLesson(id: string, pinned: boolean, options: OutputOptions): Promise<void> {
  const { store } = openStore();
  const found = resolveLesson(id, await store.list(LESSON_STATUSES));
  if (pinned && (found.status === 'archived' || found.status === 'superseded'))
    throw usageError(
      `${found.id} is ${found.status}, so it cannot be pinned.`,
      `Add it again first: ralph lessons add ${JSON.stringify(found.text)}`,
    );
  const lesson = await store.pin(found.id, pinned);
  printResult(options, lesson, (chalk) => renderSummary(lesson, chalk));
}

/** `ralph lessons forget ID`. */
export async function forgetLesson(id: string, options: OutputOptions & { reason?: string }): Promise<void> {
  const { store } = openStore();
  const found = resolveLesson(id, await store.list(LESSON_STATUSES));
  const reason = options.reason?.trim() ?? '';
  const lesson = await store.archive(
    found.id,
    reason === '' ? `${FORGOTTEN_BY_USER}.` : `${FORGOTTEN_BY_USER}: ${reason}`,
  );
  printResult(options, lesson, (chalk) => renderSummary(lesson, chalk));
}

/** `ralph lessons history [ID]`. */
export async function lessonHistory(id: string | undefined, options: OutputOptions): Promise<void> {
  const { store } = openStore();
  const lessonId = id === undefined ? undefined : resolveLesson(id, await store.list(LESSON_STATUSES)).id;
  const rows = await store.history(lessonId);
  printResult(options, rows, (chalk) =>
    rows.length === 0 ? ['The history of lessons is empty.'] : rows.map((row) => renderRow(row, chalk)),
  );
}

function openStore(): { readonly root: string; readonly store: LessonStore } {
  const root = findRepositoryRoot(process.cwd());
  return { root, store: createLessonStore({ repositoryRoot: root, onDamaged: printWarning }) };
}

async function printFound(words: string, options: FilterOptions, emptyText: string): Promise<void> {
  const { status, type, file, limit } = options;
  const found = findLessons(await openStore().store.list(LESSON_STATUSES), {
    words,
    statuses: status && parseStatuses(status),
    types: type?.map((name) => parseChoice('--type', name, LESSON_TYPES)),
    file,
    limit: limit === undefined ? undefined : parseWholeNumber('--limit', limit),
  });
  printResult(options, found, (chalk) =>
    found.length === 0 ? [emptyText] : found.flatMap((lesson) => renderSummary(lesson, chalk)),
  );
}

function parseStatuses(names: readonly string[]): readonly LessonStatus[] {
  const chosen = names.map((name) => parseChoice('--status', name, [...LESSON_STATUSES, 'all'] as const));
  return LESSON_STATUSES.filter((status) => chosen.includes('all') || chosen.includes(status));
}

function refusedError({ step, reason }: Admission): Error {
  return usageError(
    `The lesson is refused (${step ?? 'gate'}): ${reason}`,
    step === 'conflict'
      ? 'To see the other lesson: ralph lessons show ID. If it no longer holds, unpin or forget it first.'
      : 'Rewrite it as a statement about this repository of at most 1000 characters.',
  );
}

function renderSummary(lesson: Lesson, chalk: ChalkInstance): string[] {
  const { id, type, status, pinned, confidence, support, contradiction, text } = lesson;
  const facts = `${chalk.cyan(type)}  ${status}${pinned ? ', pinned' : ''}  confidence ${confidence.toFixed(2)}  +${support} −${contradiction}`;
  return [`${chalk.bold(id)}  ${facts}`, `  ${oneLine(text)}`];
}

function renderDetails(lesson: Lesson, heldBackReason: string | undefined, chalk: ChalkInstance): string[] {
  const { source, evidence, files, fingerprints, subject, importance, status_reason, superseded_by } = lesson;
  const attempt = source.iteration === undefined ? '' : `, attempt ${source.iteration + 1}`;
  const origin = source.loop_id === undefined ? source.pass : `${source.pass} in ${source.loop_id}${attempt}`;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [chalk.bold(title), ...items.map((item) => `  - ${oneLine(item)}`)];
  return [
    ...renderSummary(lesson, chalk),
    `  about the ${subject}, importance ${importance.toFixed(2)}, from ${oneLine(origin)}`,
    `  created ${lesson.created_at}, updated ${lesson.updated_at}`,
    ...(status_reason === undefined ? [] : [`  ${lesson.status}: ${oneLine(status_reason)}`]),
    ...(superseded_by === undefined ? [] : [`  superseded by ${superseded_by}`]),
    ...(heldBackReason === undefined ? [] : [`  ${chalk.yellow('held back')}: ${oneLine(heldBackReason)}`]),
    ...list(
      'Evidence',
      evidence.map(({ quote, file }) => `${quote}${file === undefined ? '' : ` (${file})`}`),
    ),
    ...list('Files', files),
    ...list('Failures', fingerprints),
  ];
}

function renderRow({ at, action, lessonId, text, reason }: AuditRow, chalk: ChalkInstance): string {
  const subject = lessonId ?? JSON.stringify(text.slice(0, 80));
  return `${at.slice(0, 19).replace('T', ' ')}  ${chalk.cyan(action.padEnd(16))} ${oneLine(subject)}  ${oneLine(reason)}`;
}
