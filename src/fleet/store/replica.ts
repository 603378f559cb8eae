import type { LoopReplica } from '../../compose/loop/loop-request.ts';
import { patiently } from '../database/patiently.ts';
import type { Queryable } from '../database/database.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import { requireHold } from '../queue/settle.ts';
import type { TakenJob } from '../queue/take.ts';
import { listLoopFiles, onlyGrows, readFrom, type LoopFile } from './loop-files.ts';
import { watchSnapshotObjects } from './snapshot-objects.ts';

export interface ReplicaOptions {
  readonly fleet: Fleet;
  readonly job: TakenJob;
  /** Absolute path of the repository that the loop works on. */
  readonly root: string;
  /** Aborts when the loop must end: a save that waits for the server gives up. */
  readonly signal: AbortSignal;
}

/** What is in the database of one file. */
interface Saved {
  readonly size: number;
  readonly changedMs: number;
  readonly parts: number;
}

interface Change {
  readonly path: string;
  /** True: what is stored of the file is replaced. */
  readonly isWhole: boolean;
  readonly part: number;
  readonly content: Buffer;
  readonly file: LoopFile;
}

/**
 * Keeps a copy of a loop in the database: its files, and the objects of its snapshots. A save is one transaction, which is
 * refused if another machine has the job. While the server is away, saves wait for it, and the loop with them.
 */
export function createReplica({ fleet, job, root, signal }: ReplicaOptions): LoopReplica {
  const saved = new Map<string, Saved>();
  const objects = watchSnapshotObjects(root);
  let packs = -1;
  let last: Promise<void> = Promise.resolve();

  const saveNow = async (): Promise<void> => {
    // The journal is read first: what it names is on the disk by then, and goes with it.
    const changes = listLoopFiles(root, job.loopId).flatMap((file) => changeOf(file) ?? []);
    const fresh = await objects.newPacks();
    if (changes.length === 0 && fresh.packs.length === 0) return;
    if (packs === -1) packs = await patiently(() => nextPart(fleet, job), signal);
    const writing = { job, changes, packs: fresh.packs, from: packs };
    await patiently(() => fleet.database.transaction((tx) => write(tx, writing)), signal);
    fresh.stored();
    packs += fresh.packs.length;
    for (const { path, part, file } of changes) saved.set(path, { ...file, parts: part + 1 });
  };

  const changeOf = (file: LoopFile): Change | undefined => {
    const { path, size, changedMs } = file;
    const before = saved.get(path);
    if (before?.size === size && before.changedMs === changedMs) return undefined;
    const isGrown = before !== undefined && size >= before.size && onlyGrows(path, job.loopId);
    const content = readFrom(root, path, isGrown ? before.size : 0);
    if (content === undefined) return undefined;
    const read = { ...file, size: (isGrown ? before.size : 0) + content.length };
    return { path, isWhole: !isGrown, part: isGrown ? before.parts : 0, content, file: read };
  };

  return {
    save() {
      const next = last.then(saveNow);
      last = next.catch(() => {});
      return next;
    },
  };
}

interface Writing {
  readonly job: TakenJob;
  readonly changes: readonly Change[];
  readonly packs: readonly Buffer[];
  /** Number of the first pack. */
  readonly from: number;
}

async function write(tx: Queryable, { job, changes, packs, from }: Writing): Promise<void> {
  await requireHold(tx, job);
  for (const { path, isWhole, part, content } of changes) {
    if (isWhole) await tx.query('DELETE FROM ralph.loop_file WHERE job = $1 AND path = $2', [job.id, path]);
    await tx.query('INSERT INTO ralph.loop_file (job, path, part, content) VALUES ($1, $2, $3, $4)', [
      job.id,
      path,
      part,
      content,
    ]);
  }
  for (const [index, content] of packs.entries())
    await tx.query('INSERT INTO ralph.loop_pack (job, part, content) VALUES ($1, $2, $3)', [
      job.id,
      from + index,
      content,
    ]);
}

async function nextPart({ database }: Fleet, { id }: TakenJob): Promise<number> {
  const [row] = await database.query<{ next: number }>(
    'SELECT coalesce(max(part) + 1, 0)::int AS next FROM ralph.loop_pack WHERE job = $1',
    [id],
  );
  return row!.next;
}
