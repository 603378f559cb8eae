import { randomUUID } from 'node:crypto';
import type { JobInsert } from 'pg-boss';
import { usageError } from '../../errors.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { redact } from '../../platform/redaction/redact.ts';
import type { Queryable } from '../database/database.ts';
import { LOOPS, statementsOf } from './boss.ts';
import { MAX_REQUEST_BYTES, PULL_REQUEST_LABEL, type JobRequest, type StoredRequest } from './job-request.ts';
import type { Fleet } from './open-fleet.ts';

/** A job in the queue. */
export interface SubmittedJob {
  readonly id: string;
  /** False if a job with the same key was there already: what follows is that job's. */
  readonly isNew: boolean;
  /** Its name. */
  readonly repository: string;
  readonly ref: string;
  readonly task: string;
}

const BATCH = 500;
/** Workers wait on this channel for work. */
export const QUEUE_CHANNEL = 'ralph_queue';

/** Puts jobs into the queue, each batch of 500 in one transaction, and returns their ids in order. Throws RalphError. */
export async function submitJobs(fleet: Fleet, requests: readonly JobRequest[]): Promise<SubmittedJob[]> {
  const rows = requests.map(toRow);
  const results: SubmittedJob[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    results.push(...(await fleet.database.transaction((tx) => insertBatch(fleet, tx, batch))));
  }
  return results;
}

type Row = ReturnType<typeof toRow>;

function toRow(request: JobRequest) {
  const { key = null, repository, ref, task, proof, config, delivery, labels, priority } = request;
  const stored: StoredRequest = { version: 1, proof, config, delivery };
  const json = JSON.stringify(stored);
  if (Buffer.byteLength(json) > MAX_REQUEST_BYTES)
    throw usageError(
      `The job has ${Buffer.byteLength(json)} bytes; the limit is ${MAX_REQUEST_BYTES}.`,
      'Write the details to a file of the repository and name that file in the task.',
    );
  return {
    id: randomUUID(),
    key,
    organisation: repository.organisation,
    repository: repository.name,
    model: config.model ?? config.agent ?? '',
    labels: [...new Set(delivery === 'pull-request' ? [...labels, PULL_REQUEST_LABEL] : labels)].sort(),
    address: repository.address,
    ref,
    task: redact(task),
    request: stored,
    priority,
    loop_id: newLoopId(task, new Date()),
  };
}

async function insertBatch({ boss }: Fleet, tx: Queryable, batch: readonly Row[]): Promise<SubmittedJob[]> {
  const rows = JSON.stringify(batch);
  await tx.query(
    `INSERT INTO ralph.lane (organisation, repository, model, labels)
     SELECT DISTINCT organisation, repository, model, labels FROM jsonb_to_recordset($1::jsonb)
       AS r (organisation text, repository text, model text, labels text[])
     ON CONFLICT DO NOTHING`,
    [rows],
  );
  const added = await tx.query<{ id: string; lane: string }>(
    `INSERT INTO ralph.job (id, key, lane, address, ref, task, request, priority, loop_id)
     SELECT r.id, r.key, l.id, r.address, r.ref, r.task, r.request, r.priority, r.loop_id
     FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, key text, organisation text, repository text, model text,
       labels text[], address text, ref text, task text, request jsonb, priority int, loop_id text)
     JOIN ralph.lane l USING (organisation, repository, model, labels)
     ON CONFLICT (key) DO NOTHING RETURNING id, lane`,
    [rows],
  );
  const lanes = new Map(added.map(({ id, lane }) => [id, lane]));
  const fresh = batch.filter(({ id }) => lanes.has(id));
  if (fresh.length > 0) {
    const jobs = fresh.map((row) => toBossJob(row, lanes.get(row.id)!));
    await boss.insert(LOOPS, jobs, { db: statementsOf(tx) });
    await tx.query(`SELECT pg_notify($1, '')`, [QUEUE_CHANNEL]);
  }
  const known = await jobsByKey(tx, batch);
  return batch.map(({ id, key, repository, ref, task }) =>
    lanes.has(id) ? { id, isNew: true, repository, ref, task } : { ...known.get(key!)!, isNew: false },
  );
}

/** One loop of a branch is active at a time, which `singletonKey` says; the limits of a lane hold for its group. */
function toBossJob({ id, repository, ref, priority }: Row, lane: string): JobInsert {
  return { id, data: {}, priority, singletonKey: `${repository}#${ref}`, group: { id: lane } };
}

async function jobsByKey(
  tx: Queryable,
  batch: readonly Row[],
): Promise<ReadonlyMap<string, Omit<SubmittedJob, 'isNew'>>> {
  const keys = batch.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) return new Map();
  const rows = await tx.query<Omit<SubmittedJob, 'isNew'> & { key: string }>(
    `SELECT j.id, j.key, l.repository, j.ref, j.task FROM ralph.job j JOIN ralph.lane l ON l.id = j.lane
     WHERE j.key = ANY($1)`,
    [keys],
  );
  return new Map(rows.map(({ key, ...job }) => [key, job]));
}
