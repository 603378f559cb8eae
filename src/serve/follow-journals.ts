import { open, stat } from 'node:fs/promises';
import type { JournalRecord } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { unsealLine } from '../platform/files/sealed.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';

/** New records of one journal, or a new state of its loop. */
export interface JournalNews {
  readonly loopId: string;
  /** Complete and intact ones only; none where only the loop's state has changed. */
  readonly records: readonly JournalRecord[];
}

/** Reads what was appended to the journals of a repository since the last look. */
export interface JournalFollower {
  /** News of the journals; with `all` of every one, else only of those that changed a short time ago. */
  look(all: boolean): Promise<readonly JournalNews[]>;
}

const WARM_MS = 600_000;
/** At most this much is read at once of one journal. */
const MOST_BYTES = 4_000_000;

/** Follows every journal from its present end. A journal that appears later is read from its start. */
export async function followJournals(repositoryRoot: string): Promise<JournalFollower> {
  const folder = ralphFolder(repositoryRoot);
  const ends = new Map<string, { bytes: number; stateMs: number; changedAt: number }>();
  const loopIds = async (): Promise<string[]> =>
    (await readFolder(folder.loops())).map(({ name }) => name).filter(isLoopId);
  const lookAt = async (loopId: string): Promise<{ size: number; journalMs: number; stateMs: number }> => {
    const journal = await stat(folder.journal(loopId)).catch(() => undefined);
    const state = await stat(folder.state(loopId)).catch(() => undefined);
    return { size: journal?.size ?? 0, journalMs: journal?.mtimeMs ?? 0, stateMs: state?.mtimeMs ?? 0 };
  };
  const newsOf = async (loopId: string): Promise<JournalNews | undefined> => {
    const { size, stateMs } = await lookAt(loopId);
    const known = ends.get(loopId) ?? { bytes: 0, stateMs: 0 };
    if (size === known.bytes && stateMs === known.stateMs) return undefined;
    // A journal that is shorter was restored: it is read from its start.
    const from = size < known.bytes ? 0 : known.bytes;
    const bytes = await readPart(folder.journal(loopId), from, Math.min(size - from, MOST_BYTES));
    const length = bytes.lastIndexOf(0x0a) + 1;
    // A longer line than is read at once cannot be shown, and is skipped.
    const read = length === 0 && bytes.length === MOST_BYTES ? MOST_BYTES : length;
    ends.set(loopId, { bytes: from + read, stateMs, changedAt: Date.now() });
    const records = parseRecords(bytes.toString('utf8', 0, length));
    return records.length > 0 || stateMs !== known.stateMs ? { loopId, records } : undefined;
  };
  for (const loopId of await loopIds()) {
    const { size, journalMs, stateMs } = await lookAt(loopId);
    ends.set(loopId, { bytes: size, stateMs, changedAt: Math.max(journalMs, stateMs) });
  }
  return {
    async look(all) {
      const recent = Date.now() - WARM_MS;
      const warm = [...ends].flatMap(([loopId, { changedAt }]) => (changedAt > recent ? loopId : []));
      const news: JournalNews[] = [];
      for (const loopId of all ? await loopIds() : warm) {
        const found = await newsOf(loopId);
        if (found !== undefined) news.push(found);
      }
      return news;
    },
  };
}

/** The intact records among lines. */
function parseRecords(text: string): JournalRecord[] {
  return text.split('\n').flatMap((line) => {
    const read = line === '' ? undefined : unsealLine(line);
    if (read?.ok !== true) return [];
    const checked = validate('journal-record', read.value);
    return checked.ok ? [checked.value] : [];
  });
}

async function readPart(path: string, from: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.of();
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
