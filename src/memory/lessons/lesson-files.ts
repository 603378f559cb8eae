import type { Lesson } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import {
  addLines,
  readLines,
  replaceLines,
  type LineFile,
  type Lines,
  type RecordOf,
} from '../files/line-file.ts';
import { memoryPath } from '../files/memory-folder.ts';
import { LessonBook } from './book.ts';
import { withMemoryLock } from './memory-lock.ts';
import type { LessonRecords } from './records.ts';

export interface LessonFileOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Called once with a sentence about damaged lines. */
  readonly onDamaged?: (text: string) => void;
  /** Default: the clock. */
  readonly now?: () => Date;
}

/** Outdated lines from which the file is rewritten with the last line of each lesson. */
const MOST_OLD_LINES = 200;

/** Audit lines from which the older half moves into `history/`, since every change reads the file. */
const MOST_AUDIT_LINES = 2000;
const NO_LINES = { damaged: 0, content: Buffer.of() };

/**
 * Stores lessons in `.aiwg/ralph/memory/lessons.jsonl`, where the last line of an id counts, and an audit of every
 * change in `audit.jsonl`. Each change is read, decided and written under memory's lock, so that concurrent processes
 * lose no changes. Rejects with RalphError where the disk or the lock refuses.
 */
export function createLessonFiles({ repositoryRoot, onDamaged, now }: LessonFileOptions): LessonRecords {
  const lessonFile = { repositoryRoot, name: 'lessons.jsonl', schema: 'lesson' } as const;
  const auditFile = { repositoryRoot, name: 'audit.jsonl', schema: 'lesson-audit' } as const;
  const reportDamage = once(onDamaged ?? (() => {}));

  const change = <T>(act: (book: LessonBook) => T): Promise<T> =>
    withMemoryLock(repositoryRoot, async () => {
      const [lines, audit] = [await readLines(lessonFile), await readLines(auditFile)];
      const book = new LessonBook(lastOfEach(lines.records), now?.() ?? new Date());
      const result = act(book);
      await write(lessonFile, lines, { added: book.changed, all: book.lessons });
      await write(auditFile, audit, { added: book.audit, all: [...audit.records, ...book.audit] });
      if (audit.records.length + book.audit.length > MOST_AUDIT_LINES) await moveOlderHalf();
      return result;
    });

  const moveOlderHalf = async (): Promise<void> => {
    const lines = await readLines(auditFile);
    const half = Math.floor(lines.records.length / 2);
    const [older, newer] = [lines.records.slice(0, half), lines.records.slice(half)];
    const until = older.at(-1)!.at.replace(/[^0-9TZ]/g, '');
    await replaceLines({ ...auditFile, name: `history/audit-${until}.jsonl` }, older, NO_LINES);
    await replaceLines(auditFile, newer, lines);
  };

  const write = async <N extends 'lesson' | 'lesson-audit'>(
    file: LineFile<N>,
    lines: Lines<RecordOf<N>>,
    change: Change<RecordOf<N>>,
  ): Promise<void> => {
    const copy = await writeChange(file, lines, change);
    if (copy !== undefined)
      reportDamage(`${memoryPath(file.name)} has damaged lines; a copy is kept as ${copy}.`);
  };

  const list = async (): Promise<Lesson[]> => {
    const { records, damaged } = await readLines(lessonFile);
    if (damaged > 0)
      reportDamage(`${memoryPath(lessonFile.name)}: skipped ${plural(damaged, 'damaged line')}.`);
    return lastOfEach(records);
  };

  return { list, change, history: async () => (await readLines(auditFile)).records };
}

interface Change<T> {
  readonly added: readonly T[];
  /** All records that the file must have afterwards. */
  readonly all: readonly T[];
}

/** Appends to an intact file; rewrites one that is damaged or mostly outdated. Returns the path of a damaged file's copy. */
async function writeChange<N extends 'lesson' | 'lesson-audit'>(
  file: LineFile<N>,
  lines: Lines<RecordOf<N>>,
  { added, all }: Change<RecordOf<N>>,
): Promise<string | undefined> {
  if (added.length === 0) return undefined;
  const old = lines.records.length + added.length - all.length;
  const isIntact = lines.damaged === 0 && lines.isEnded;
  if (!isIntact || old > all.length + MOST_OLD_LINES) return replaceLines(file, all, lines);
  addLines(file, added);
  return undefined;
}

function lastOfEach(records: readonly Lesson[]): Lesson[] {
  return [...new Map(records.map((lesson) => [lesson.id, lesson])).values()];
}

/** Calls `report` the first time only. */
function once(report: (text: string) => void): (text: string) => void {
  let isDone = false;
  return (text) => {
    if (!isDone) report(text);
    isDone = true;
  };
}
