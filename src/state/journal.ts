import { readFileSync } from 'node:fs';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { appendDurably, isTorn } from '../platform/files/durable-write.ts';
import { sealedLine, unsealLine } from '../platform/files/sealed.ts';

/** What a journal holds. */
export interface JournalContent {
  readonly records: readonly JournalRecord[];
  /** Bytes of whole records; what lies behind them in the file was torn by a crash. */
  readonly bytes: number;
}

/** The open journal of a loop. */
export interface Journal {
  readonly records: readonly JournalRecord[];
  /** Resolves when the record is on the disk; calls are written one after the other. */
  append(step: string, data: unknown): Promise<void>;
}

/** A journal up to its first damage. */
export interface JournalScan extends JournalContent {
  /** The whole file. */
  readonly file: Buffer;
  /** What is wrong behind the records, such as `line 3: …`; undefined where nothing is, or the last line has no end. */
  readonly problem: string | undefined;
  /** What is wrong is what a power cut leaves of a line that was never acknowledged. */
  readonly isTorn: boolean;
}

/**
 * Reads a journal (JSON Lines, `schemas/journal-record.schema.json`, each line sealed by its checksum); empty where
 * there is no file. A torn last line is left out: it was never acknowledged. Throws RalphError `state_damaged`,
 * with file and line, for damage anywhere else and for gaps in `seq`.
 */
export function readJournal(path: string): JournalContent {
  const { records, bytes, problem, isTorn: torn } = scanJournal(path);
  if (problem !== undefined && !torn) throw damaged(path, problem);
  return { records, bytes };
}

/** What can be read of a journal. Throws RalphError `state_damaged` where the file cannot be read at all. */
export function scanJournal(path: string): JournalScan {
  try {
    return parseJournal(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseJournal(Buffer.of());
    throw damaged(path, messageOf(error), error);
  }
}

/** Opens a journal for appending; reads what it holds first, and throws as `readJournal` does. */
export function openJournal(path: string): Journal {
  const content = readJournal(path);
  const records = [...content.records];
  let bytes = content.bytes;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (step: string, data: unknown): Promise<void> => {
    const record = { seq: records.length, at: new Date().toISOString(), step, data };
    const checked = validate('journal-record', record);
    if (!checked.ok)
      throw new Error(`Step "${step}" cannot be journaled: ${renderProblems(checked.problems)}`);
    bytes = await appendDurably(path, `${sealedLine(record)}\n`, bytes);
    records.push(checked.value);
  };
  const append = (step: string, data: unknown): Promise<void> => {
    const written = last.then(() => write(step, data));
    last = written.catch(() => {});
    return written;
  };
  return { records, append };
}

function parseJournal(file: Buffer): JournalScan {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < file.length) {
    const newline = file.indexOf(0x0a, start);
    const end = newline === -1 ? file.length : newline;
    const parsed =
      newline === -1 ? 'it has no end' : parseRecord(file.toString('utf8', start, end), records.length);
    if (typeof parsed === 'string') {
      const problem = newline === -1 ? undefined : `line ${records.length + 1}: ${parsed}`;
      return { records, bytes: start, file, problem, isTorn: isTorn(file.subarray(start)) };
    }
    records.push(parsed);
    start = end + 1;
  }
  return { records, bytes: start, file, problem: undefined, isTorn: false };
}

/** The record, or what is wrong with it. */
function parseRecord(line: string, seq: number): JournalRecord | string {
  const read = unsealLine(line);
  if (!read.ok) return read.problem;
  const checked = validate('journal-record', read.value);
  if (!checked.ok) return renderProblems(checked.problems);
  if (checked.value.seq !== seq) return `seq is ${checked.value.seq} where ${seq} must be`;
  return checked.value;
}

function damaged(path: string, problem: string, cause?: unknown): RalphError {
  return new RalphError(`${path} is damaged: ${problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'ralph resume sets it aside and goes on from what is whole; or put the file back from a backup.',
    cause,
  });
}
