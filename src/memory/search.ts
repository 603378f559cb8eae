import { usageError } from '../errors.ts';
import type { FailureCategory } from '../schema/generated.ts';
import picomatch from 'picomatch';
import type { AiwgRecord } from './aiwg-record.ts';
import type { ReflectionRecord } from './reflection-files.ts';

/** Conditions that must all hold; an absent one holds. */
export interface ReflectionQuery {
  /** Each must occur in the task, text, insights, lessons or errors; capitals do not matter. */
  readonly words?: readonly string[];
  /** One of them. */
  readonly categories?: readonly FailureCategory[];
  /** 0..1; a record that states no confidence does not reach any. */
  readonly minConfidence?: number;
  readonly loop?: string;
  /** Glob over changed and failing files, relative to the root; without a slash it is matched with the file's name. */
  readonly file?: string;
  /** `12h`, `30d`, `2w`, or an ISO 8601 date. */
  readonly since?: string;
  /** Default: all. */
  readonly limit?: number;
  /** What `since` counts back from; default: the clock. */
  readonly now?: Date;
}

export interface ReflectionMatch {
  readonly record: ReflectionRecord;
  /** Weight of the places in which the words occur; 0 without words. */
  readonly score: number;
}

const WEIGHTS = { lessons: 3, insights: 3, text: 2, task: 2, errors: 1 } as const;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Reflections that meet a query: with words the best score first, and newest first among equals; without,
 * newest first. Throws a usage RalphError for a `since` that is no time.
 */
export function searchReflections(
  records: readonly ReflectionRecord[],
  query: ReflectionQuery,
): ReflectionMatch[] {
  const holds = conditionsOf(query);
  const words = (query.words ?? []).map(fold).filter((word) => word !== '');
  return records
    .filter(({ reflection }) => holds.every((condition) => condition(reflection)))
    .map((record) => ({ record, score: scoreOf(record.reflection, words) }))
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score || newestFirst(a.record, b.record))
    .slice(0, query.limit);
}

/** The moment that `30d`, `12h` or an ISO 8601 date means. Throws a usage RalphError for anything else. */
export function parseSince(text: string, now: Date): Date {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]);
  const date = new Date(text);
  if (/^\d{4}-\d{2}(-\d{2})?(T.*)?$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw usageError(
    `--since ${JSON.stringify(text)} is no time.`,
    'Give 12h, 30d, 2w, or a date: 2026-01-25.',
  );
}

/** Files that a reflection is about, relative to the root: changed, acted upon, failing. */
export function filesOf({ actor_output, evaluator_output }: AiwgRecord): string[] {
  const named = [
    ...(actor_output.files_modified ?? []),
    ...actor_output.actions.map(({ file_path }) => file_path),
    ...(evaluator_output.errors ?? []).map(({ file }) => file),
  ];
  const files = named.filter((file): file is string => file !== undefined && file !== '');
  return [...new Set(files.map((file) => file.replace(/^\.?\/+/, '')))];
}

type Condition = (reflection: AiwgRecord) => boolean;

function conditionsOf({ categories, minConfidence, loop, file, since, now }: ReflectionQuery): Condition[] {
  const conditions: Condition[] = [];
  if (categories !== undefined && categories.length > 0) {
    const wanted = new Set<string | undefined>(categories);
    conditions.push(({ self_reflection }) => wanted.has(self_reflection.credit_assignment?.failure_category));
  }
  if (minConfidence !== undefined) {
    conditions.push(({ self_reflection }) => (self_reflection.confidence ?? -1) >= minConfidence);
  }
  if (loop !== undefined) conditions.push(({ loop_id }) => loop_id === loop);
  if (file !== undefined) {
    const glob = file.replace(/^\.?\/+/, '');
    const matches = picomatch(glob, { dot: true, basename: !glob.includes('/') });
    conditions.push((reflection) => filesOf(reflection).some((name) => matches(name)));
  }
  if (since !== undefined) {
    const from = parseSince(since, now ?? new Date()).getTime();
    conditions.push(({ timestamp }) => Date.parse(timestamp) >= from);
  }
  return conditions;
}

/** 0 unless every word occurs somewhere. */
function scoreOf(reflection: AiwgRecord, words: readonly string[]): number {
  const places = placesOf(reflection);
  const scores = words.map((word) =>
    places.reduce((sum, [place, text]) => sum + (text.includes(word) ? WEIGHTS[place] : 0), 0),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function placesOf({
  task_description,
  self_reflection,
  evaluator_output,
}: AiwgRecord): [keyof typeof WEIGHTS, string][] {
  const { reflection_text, causal_reasoning, credit_assignment } = self_reflection;
  const errors = (evaluator_output.errors ?? []).flatMap(({ message, rule, file }) => [message, rule, file]);
  return [
    ['task', joined([task_description])],
    ['text', joined([reflection_text, causal_reasoning, credit_assignment?.root_cause])],
    ['insights', joined(self_reflection.actionable_insights ?? [])],
    ['lessons', joined(self_reflection.lessons_learned ?? [])],
    ['errors', joined(errors)],
  ];
}

function joined(texts: readonly (string | undefined)[]): string {
  return fold(texts.filter((text) => text !== undefined).join('\n'));
}

/** Capitals, compatibility forms and accents as typed do not hide a word. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function newestFirst(a: ReflectionRecord, b: ReflectionRecord): number {
  const byTime = Date.parse(b.reflection.timestamp) - Date.parse(a.reflection.timestamp);
  return byTime || b.reflection.iteration - a.reflection.iteration || a.path.localeCompare(b.path);
}
