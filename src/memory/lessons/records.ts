import type { Lesson } from '../../schema/generated.ts';
import type { LessonBook } from './book.ts';
import type { AuditRow } from './contract.ts';

/** A place that holds lessons and the audit of their changes: files, or a database. */
export interface LessonRecords {
  /** Every lesson, of any status, oldest first. */
  list(): Promise<readonly Lesson[]>;
  /** Reads all lessons, lets `act` change them, and stores the changes; nothing else changes them meanwhile. */
  change<T>(act: (book: LessonBook) => T): Promise<T>;
  /** Audit rows, oldest first. */
  history(): Promise<readonly AuditRow[]>;
}
