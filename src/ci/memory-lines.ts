import { unsealLine, type Unsealed } from '../platform/files/sealed.ts';
import { dangerIn } from '../platform/redaction/unsafe-text.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { lessonId } from '../memory/lessons/lesson-id.ts';
import type { Lesson, Observation, Repair } from '../schema/generated.ts';
import { changeOf, mayAdd } from './rules/lesson-change.ts';
import { MAX_ENDED } from './rules/merged-records.ts';
import { validate, type SchemaName } from '../schema/validate.ts';

/** Files of memory/ that hold one record a line, and the schema of a record. */
export const LINE_FILES = {
  'lessons.jsonl': 'lesson',
  'repairs.jsonl': 'repair',
  'observations.jsonl': 'observation',
} as const satisfies Record<string, SchemaName>;

/** Share of one loop in each file of lines. A loop adds a few lines; more would push out those of other loops. */
const MAX_NEW_LINES = 200;
const MAX_NEW_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 64 * 1024;

/** Share of one file that a job of another machine may add. */
export interface LineShare {
  readonly schema: SchemaName;
  /** The loop of the job: only lessons may be about others. */
  readonly loopId: string;
}

/**
 * The lines of a job that are stored behind the known ones: new ones that match their schema, within the share of one loop.
 * No line changes what a lesson says or where it is from, pins one, or ends a pinned one; at most ten others are ended, and
 * ten are weakened, each within the share of one loop.
 */
export function newLines(
  known: readonly string[],
  lines: readonly string[],
  { schema, loopId }: LineShare,
): string[] {
  const seen = new Set(known);
  const accepts =
    schema === 'lesson' ? lessonRule(parseLessons(known), loopId) : ownRule(known, { schema, loopId });
  const fresh: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (seen.has(line) || line.length > MAX_LINE_CHARS) continue;
    seen.add(line);
    const record = validRecord(schema, unsealLine(line, parseLine));
    if (record === undefined || !accepts(record)) continue;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_NEW_BYTES) break;
    fresh.push(line);
    if (fresh.length === MAX_NEW_LINES) break;
  }
  return fresh;
}

/** Lessons by id; the last line of an id counts. */
export function parseLessons(lines: readonly string[]): ReadonlyMap<string, Lesson> {
  const lessons = lines.map(
    (line) => validRecord('lesson', unsealLine(line, parseLine)) as Lesson | undefined,
  );
  return new Map(lessons.flatMap((lesson) => (lesson === undefined ? [] : [[lesson.id, lesson]])));
}

/** A record that matches its schema; undefined for anything else. */
export function validRecord(schema: SchemaName, read: Unsealed): unknown {
  if (!read.ok) return undefined;
  const checked = validate(schema, read.value);
  return checked.ok ? checked.value : undefined;
}

function lessonRule(known: ReadonlyMap<string, Lesson>, loopId: string): (record: unknown) => boolean {
  const [ended, weakened] = [new Set<string>(), new Set<string>()];
  return (record) => {
    const lesson = record as Lesson;
    // The id is a digest of the text, so that a lesson cannot be given another one.
    if (lesson.id !== lessonId(lesson) || dangerIn(lesson.text) !== undefined) return false;
    const before = known.get(lesson.id);
    if (lesson.pinned && before?.pinned !== true) return false;
    if (before === undefined) return mayAdd(lesson, loopId);
    const change = changeOf(before, lesson);
    if (change === 'refused' || (change === 'weakens' && before.pinned)) return false;
    if (change === 'weakens' && weakened.add(lesson.id).size > MAX_ENDED) return false;
    if (lesson.status === before.status) return true;
    if (lesson.status === 'active') return true;
    if (before.pinned) return false;
    ended.add(lesson.id);
    return ended.size <= MAX_ENDED;
  };
}

/** Records of an attempt are those of the job's own loop, and its number follows those that are known. */
function ownRule(known: readonly string[], { schema, loopId }: LineShare): (record: unknown) => boolean {
  if (schema === 'repair') return (record) => (record as Repair).loop_id === loopId;
  const last = lastSeq(known);
  return (record) => {
    const { loop_id: loop, seq } = record as Observation;
    return loop === loopId && seq <= last + MAX_NEW_LINES;
  };
}

/** Number of the last attempt in lines of observations; 0 for none. */
export function lastSeq(lines: readonly string[]): number {
  const records = lines.map(
    (line) => validRecord('observation', unsealLine(line, parseLine)) as Observation | undefined,
  );
  return records.reduce((last, record) => Math.max(last, record?.seq ?? 0), 0);
}

function parseLine(text: string): unknown {
  return parseBoundedJson(text, { maxDepth: 20 });
}
