import { readFileSync } from 'node:fs';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { appendDurably, isTorn } from '../util/durable-write.ts';

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

const EMPTY: JournalContent = { records: [], bytes: 0 };

/**
 * Reads a journal (JSON Lines, `schemas/journal-record.schema.json`); empty where there is no file. A torn
 * last line is left out: it was never acknowledged. Throws RalphError `state_damaged`, with file and line,
 * for damage anywhere else and for gaps in `seq`.
 */
export function readJournal(path: string): JournalContent {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw damaged(path, messageOf(error), error);
  }
  return parseJournal(path, bytes);
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
    bytes = await appendDurably(path, `${JSON.stringify(record)}\n`, bytes);
    records.push(checked.value);
  };
  const append = (step: string, data: unknown): Promise<void> => {
    const written = last.then(() => write(step, data));
    last = written.catch(() => {});
    return written;
  };
  return { records, append };
}

function parseJournal(path: string, bytes: Buffer): JournalContent {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, end);
    const parsed = newline === -1 ? 'it has no end' : parseRecord(line.toString('utf8'), records.length);
    if (typeof parsed === 'string') {
      if (isTorn(bytes.subarray(start))) break;
      throw damaged(path, `line ${records.length + 1}: ${parsed}`);
    }
    records.push(parsed);
    start = end;
  }
  return { records, bytes: start };
}

/** The record, or what is wrong with it. */
function parseRecord(line: string, seq: number): JournalRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return messageOf(error);
  }
  const checked = validate('journal-record', value);
  if (!checked.ok) return renderProblems(checked.problems);
  if (checked.value.seq !== seq) return `seq is ${checked.value.seq} where ${seq} must be`;
  return checked.value;
}

function damaged(path: string, problem: string, cause?: unknown): RalphError {
  return new RalphError(`${path} is damaged: ${problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Put the file back from a backup, or set the loop aside by renaming its folder and run the task again.',
    cause,
  });
}
