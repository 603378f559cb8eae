import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { appendDurably, isTorn } from '../platform/files/durable-write.ts';
import { sealedLine, unsealLine } from '../platform/files/sealed.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** Content of a journal. */
export interface JournalContent {
  readonly records: readonly JournalRecord[];
  /** Size of the complete records; later bytes are an incomplete record of a crashed process. */
  readonly bytes: number;
}

/** The open journal of a loop. */
export interface Journal {
  readonly records: readonly JournalRecord[];
  /** Resolves when the record is on the disk; calls are written in order. */
  append(step: string, data: unknown): Promise<void>;
}

/** A journal up to the first damaged line. */
export interface JournalScan extends JournalContent {
  /** The whole file. */
  readonly file: Buffer;
  /** The damage after the records, such as `line 3: …`; undefined if there is none, or if the last line has no newline. */
  readonly problem: string | undefined;
  /** True if the damage is an incomplete line that a power cut can leave, which was never acknowledged. */
  readonly isTorn: boolean;
}

/**
 * Reads a journal (JSON Lines, `schemas/journal-record.schema.json`, each line with its checksum); empty if there is no file.
 * An incomplete last line is ignored, because it was never acknowledged. Throws RalphError `state_damaged`, with file and
 * line, for other damage and for gaps in `seq`.
 */
export function readJournal(path: string): JournalContent {
  const { records, bytes, problem, isTorn: torn } = scanJournal(path);
  if (problem !== undefined && !torn) throw damaged(path, problem);
  return { records, bytes };
}

/** Reads a journal up to the first damage. Throws RalphError `state_damaged` if the file cannot be read. */
export function scanJournal(path: string): JournalScan {
  try {
    return parseJournal(readOwnFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseJournal(Buffer.of());
    throw damaged(path, messageOf(error), error);
  }
}

/** Opens a journal for appending. Throws as `readJournal` does. */
export function openJournal(path: string): Journal {
  const content = readJournal(path);
  const records = [...content.records];
  let bytes = content.bytes;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (step: string, data: unknown): Promise<void> => {
    const record = { seq: records.length, at: new Date().toISOString(), step, data };
    const checked = validate('journal-record', record);
    if (!checked.ok)
      throw new Error(`Step "${step}" cannot be added to the journal: ${renderProblems(checked.problems)}`);
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
      newline === -1 ? 'it has no newline' : parseRecord(file.toString('utf8', start, end), records.length);
    if (typeof parsed === 'string') {
      const problem = newline === -1 ? undefined : `line ${records.length + 1}: ${parsed}`;
      return { records, bytes: start, file, problem, isTorn: isTorn(file.subarray(start)) };
    }
    records.push(parsed);
    start = end + 1;
  }
  return { records, bytes: start, file, problem: undefined, isTorn: false };
}

/** The record, or its problem. */
function parseRecord(line: string, seq: number): JournalRecord | string {
  const read = unsealLine(line);
  if (!read.ok) return read.problem;
  const checked = validate('journal-record', read.value);
  if (!checked.ok) return renderProblems(checked.problems);
  if (checked.value.seq !== seq) return `seq is ${checked.value.seq} instead of ${seq}`;
  return checked.value;
}

function damaged(path: string, problem: string, cause?: unknown): RalphError {
  return new RalphError(`${path} is damaged: ${problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'ralph resume sets it aside and continues after the last intact step; or restore the file from a backup.',
    cause,
  });
}
