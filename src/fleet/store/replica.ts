import type { LoopReplica } from '../../compose/loop/loop-request.ts';
import type { Queryable } from '../database/database.ts';
import { patiently } from '../database/patiently.ts';
import { amountOf, NOTHING, sum, type Amount } from '../queue/amount.ts';
import { chargeJob } from '../queue/charge.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import { HELD, heldBy, HoldLost, requireHold } from '../queue/settle.ts';
import type { TakenJob } from '../queue/take.ts';
import { listLoopFiles, onlyGrows, readFrom, type LoopFile } from './loop-files.ts';
import { watchSnapshotObjects } from './snapshot-objects.ts';
import { createSpendingMeter } from './spending-meter.ts';

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
  /** The byte of the file that `content` begins with. */
  readonly from: number;
  readonly content: Buffer;
  readonly file: LoopFile;
}

/**
 * Keeps a copy of a loop in the database: its files, and the objects of its snapshots. What they say that it has spent is
 * charged in the same transaction. A save is refused if another machine has the job. While the server is away, saves wait for
 * it, and the loop with them.
 */
export function createReplica({ fleet, job, root, signal }: ReplicaOptions): LoopReplica {
  const saved = new Map<string, Saved>();
  const objects = watchSnapshotObjects(root);
  const meter = createSpendingMeter(job.loopId);
  let charged = meter.total;
  /** The most that each running model call may take. */
  const asked = new Set<Amount>();
  let noted = NOTHING;
  let packs = -1;
  let last: Promise<void> = Promise.resolve();

  const saveNow = async (): Promise<void> => {
    // The journal is read first: what it names is on the disk by then, and goes with it.
    const changes = listLoopFiles(root, job.loopId).flatMap((file) => changeOf(file) ?? []);
    const fresh = await objects.newPacks();
    if (changes.length === 0 && fresh.packs.length === 0) return;
    if (packs === -1) packs = await patiently(() => nextPart(fleet, job), signal);
    for (const change of changes) meter.read(change);
    const spent = meter.total;
    const isDearer = spent.usd > charged.usd || spent.tokens > charged.tokens;
    const writing = { job, changes, packs: fresh.packs, from: packs };
    const running = [...asked].reduce(sum, NOTHING);
    const isNews = isDearer || running.tokens !== noted.tokens;
    await patiently(
      () => (isNews ? writeAndCharge(fleet, writing, { spent, running }) : write(fleet.database, writing)),
      signal,
    );
    charged = spent;
    noted = running;
    fresh.stored();
    packs += fresh.packs.length;
    for (const { path, part, file } of changes) saved.set(path, { ...file, parts: part + 1 });
  };

  const changeOf = (file: LoopFile): Change | undefined => {
    const { path, size, changedMs } = file;
    const before = saved.get(path);
    if (before?.size === size && before.changedMs === changedMs) return undefined;
    const isGrown = before !== undefined && size >= before.size && onlyGrows(path, job.loopId);
    const from = isGrown ? before.size : 0;
    const content = readFrom(root, path, from);
    if (content === undefined) return undefined;
    const read = { ...file, size: from + content.length };
    return { path, isWhole: !isGrown, part: isGrown ? before.parts : 0, from, content, file: read };
  };

  const noteNow = async (): Promise<void> => {
    const running = [...asked].reduce(sum, NOTHING);
    await patiently(() => noteAsked(fleet, job, running), signal);
    noted = running;
  };

  /** One after the other. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const next = last.then(act);
    last = next.catch(() => {});
    return next;
  };

  return {
    save: () => inTurn(saveNow),
    async noteCall(usage) {
      const amount = amountOf(usage);
      asked.add(amount);
      await inTurn(noteNow);
      return () => void asked.delete(amount);
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

function writeAndCharge(
  { database }: Fleet,
  writing: Writing,
  { spent, running }: { readonly spent: Amount; readonly running: Amount },
): Promise<void> {
  return database.transaction(async (tx) => {
    await write(tx, writing);
    await chargeJob(tx, writing.job.id, spent);
    await setAsked(tx, writing.job, running);
  });
}

function noteAsked({ database }: Fleet, job: TakenJob, running: Amount): Promise<void> {
  return database.transaction(async (tx) => {
    await requireHold(tx, job);
    await setAsked(tx, job, running);
  });
}

async function setAsked(tx: Queryable, { id }: TakenJob, { usd, tokens }: Amount): Promise<void> {
  await tx.query('UPDATE ralph.job SET asked_usd = $2, asked_tokens = $3 WHERE id = $1', [id, usd, tokens]);
}

/**
 * One statement, which writes nothing if the job is not held any more. Parts after the first one are removed of a file that
 * is replaced, and the first one is overwritten, because one statement does not see what another part of it removes.
 */
async function write(db: Queryable, { job, changes, packs, from }: Writing): Promise<void> {
  const values = [...heldBy(job)];
  const place = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const parts = [`hold AS (${HELD})`];
  const replaced = changes.filter(({ isWhole }) => isWhole).map(({ path }) => path);
  if (replaced.length > 0)
    parts.push(`shorter AS (DELETE FROM ralph.loop_file
      WHERE job = $1 AND path = ANY(${place(replaced, 'text[]')}) AND part > 0 AND EXISTS (SELECT 1 FROM hold))`);
  const files = changes.map(
    ({ path, part, content }) =>
      `(${place(path, 'text')}, ${place(part, 'int')}, ${place(content, 'bytea')})`,
  );
  if (files.length > 0)
    parts.push(`files AS (INSERT INTO ralph.loop_file (job, path, part, content)
      SELECT $1, f.* FROM (VALUES ${files.join(', ')}) f, hold
      ON CONFLICT (job, path, part) DO UPDATE SET content = excluded.content)`);
  const objects = packs.map((pack, index) => `(${place(from + index, 'int')}, ${place(pack, 'bytea')})`);
  if (objects.length > 0)
    parts.push(`packs AS (INSERT INTO ralph.loop_pack (job, part, content)
      SELECT $1, p.* FROM (VALUES ${objects.join(', ')}) p, hold
      ON CONFLICT (job, part) DO UPDATE SET content = excluded.content)`);
  const held = await db.query(`WITH ${parts.join(', ')} SELECT 1 FROM hold`, values);
  if (held.length === 0) throw new HoldLost(job.id);
}

async function nextPart({ database }: Fleet, { id }: TakenJob): Promise<number> {
  const [row] = await database.query<{ next: number }>(
    'SELECT coalesce(max(part) + 1, 0)::int AS next FROM ralph.loop_pack WHERE job = $1',
    [id],
  );
  return row!.next;
}
