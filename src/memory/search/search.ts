import picomatch from 'picomatch';
import { usageError } from '../../errors.ts';
import type { Diagnostic, FailureCategory } from '../../schema/generated.ts';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';
import { scoreRecords } from './score.ts';
import { phrasesOf } from '../text/full-text.ts';
import { fieldTerms } from './fields.ts';
import type { ReflectionRecord } from '../episodes/reflection-files.ts';

/** Conditions, all of which must hold; absent ones are ignored. */
export interface ReflectionQuery {
  /**
   * Each must occur in the task, text, insights, lessons or errors, ignoring case. A word of three letters or more also
   * matches longer words that begin with it; one such as `src/parse.ts` matches its parts in sequence.
   */
  readonly words?: readonly string[];
  /** The record's category is one of these. */
  readonly categories?: readonly FailureCategory[];
  /** 0..1; records without a confidence never match. */
  readonly minConfidence?: number;
  /** Id of the loop, or name of the record's folder. */
  readonly loop?: string;
  /** Glob for changed and failing files, relative to the root; without a slash it is matched with the file's name. */
  readonly file?: string;
  /** Fingerprint of a failure that the attempt left. */
  readonly fingerprint?: string;
  /** `12h`, `30d`, `2w`, or an ISO 8601 date. */
  readonly since?: string;
  /** Default: all. */
  readonly limit?: number;
  /** Time that `since` is relative to; default: the clock. */
  readonly now?: Date;
}

export interface ReflectionMatch {
  readonly record: ReflectionRecord;
  /** BM25 of the words; 0 without words, and where every word is too common in a large store (`isSelective`). */
  readonly score: number;
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Reflections that match a query, the best score first and the newest first among equals; without words, or where all
 * words are too common, the newest first. Scans every record; `searchStore` finds the same with the index. `records`
 * must be the whole store, since a word's weight depends on how rare it is there. Throws a usage RalphError for an
 * invalid `since` or `file`.
 */
export function searchReflections(
  records: readonly ReflectionRecord[],
  query: ReflectionQuery,
): ReflectionMatch[] {
  const holds = conditionsOf(query);
  const phrases = phrasesOf(query.words ?? []);
  const scores =
    phrases.length === 0
      ? records.map(() => 0)
      : scoreRecords(
          records.map(({ reflection }) => fieldTerms(reflection)),
          phrases,
        );
  return records
    .map((record, index) => ({ record, score: scores[index] }))
    .filter((match): match is ReflectionMatch => match.score !== undefined)
    .filter(({ record }) => holds.every((condition) => condition(record)))
    .sort((a, b) => b.score - a.score || newestFirst(a.record, b.record))
    .slice(0, query.limit);
}

/** The time that `30d`, `12h` (before `now`) or an ISO 8601 date means. Throws a usage RalphError for anything else. */
export function parseSince(text: string, now: Date): Date {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]);
  const date = new Date(text);
  if (/^\d{4}-\d{2}(-\d{2})?(T.*)?$/.test(text) && !Number.isNaN(date.getTime()) && isDay(text)) return date;
  throw usageError(
    `--since ${JSON.stringify(text)} is not a time.`,
    'Give 12h, 30d, 2w, or a date: 2026-01-25.',
  );
}

/** False for 30 February, which `Date` reads as 2 March. */
function isDay(text: string): boolean {
  const [day] = text.split('T');
  return new Date(day!).toISOString().startsWith(day!);
}

/** Files that a reflection is about, relative to the root: changed files, files of actions, failing files. Each once. */
export function filesOf({ actor_output, evaluator_output }: AiwgRecord): string[] {
  const named = [
    ...(actor_output.files_modified ?? []),
    ...actor_output.actions.map(({ file_path }) => file_path),
    ...(evaluator_output.errors ?? []).map(({ file }) => file),
  ];
  const files = named.filter((file): file is string => file !== undefined && file !== '');
  return [...new Set(files.map((file) => file.replace(/^\.?\/+/, '')))];
}

/** Fingerprints of the failures that an attempt left, each once. AIWG's records have none. */
export function fingerprintsOf({ evaluator_output }: AiwgRecord): string[] {
  const errors: readonly Partial<Diagnostic>[] = evaluator_output.errors ?? [];
  return [
    ...new Set(errors.flatMap(({ fingerprint }) => (typeof fingerprint === 'string' ? fingerprint : []))),
  ];
}

/** A predicate for the files that a query's glob matches. Throws a usage RalphError for an empty glob. */
export function fileMatcher(file: string): (name: string) => boolean {
  const glob = file.replace(/^\.?\/+/, '');
  if (glob === '')
    throw usageError(
      `--file ${JSON.stringify(file)} is not a glob.`,
      "Give one such as 'src/*.ts' or cart.ts.",
    );
  const matches = picomatch(glob, { dot: true, basename: !glob.includes('/') });
  return (name) => matches(name);
}

/** Timestamp of a record in ms since 1970; 0 for one that `Date` cannot represent, such as a leap second. */
export function timeOf({ timestamp }: AiwgRecord): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? 0 : time;
}

/** Name of a record's folder. */
export function folderOf({ path }: { readonly path: string }): string {
  return path.split('/').at(-2) ?? '';
}

type Condition = (record: ReflectionRecord) => boolean;

function conditionsOf(query: ReflectionQuery): Condition[] {
  const { categories, minConfidence, loop, file, fingerprint, since, now } = query;
  const conditions: Condition[] = [];
  if (categories !== undefined && categories.length > 0) {
    const wanted = new Set<string | undefined>(categories);
    conditions.push(({ reflection: { self_reflection } }) =>
      wanted.has(self_reflection.credit_assignment?.failure_category),
    );
  }
  if (minConfidence !== undefined) {
    conditions.push(({ reflection }) => (reflection.self_reflection.confidence ?? -1) >= minConfidence);
  }
  if (loop !== undefined) {
    conditions.push((record) => record.reflection.loop_id === loop || folderOf(record) === loop);
  }
  if (file !== undefined) {
    const matches = fileMatcher(file);
    conditions.push(({ reflection }) => filesOf(reflection).some(matches));
  }
  if (fingerprint !== undefined) {
    conditions.push(({ reflection }) => fingerprintsOf(reflection).includes(fingerprint));
  }
  if (since !== undefined) {
    const from = parseSince(since, now ?? new Date()).getTime();
    conditions.push(({ reflection }) => timeOf(reflection) >= from);
  }
  return conditions;
}

function newestFirst(a: ReflectionRecord, b: ReflectionRecord): number {
  return (
    timeOf(b.reflection) - timeOf(a.reflection) ||
    b.reflection.iteration - a.reflection.iteration ||
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
  );
}
