import { lstatSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { renderProblems, validate } from '../../schema/validate.ts';
import { createDurably, sweepOrphans } from '../../platform/files/durable-write.ts';
import { announceReflection } from '../search/looked.ts';
import { isLoopId } from '../../platform/loop-id.ts';
import { ensureRalphFolder, resolveRalphPath } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { aiwgProblems, type AiwgRecord } from '../episodes/aiwg-record.ts';
import { readRecord, reflectionPath } from '../episodes/reflection-files.ts';
import { folderOf } from '../search/search.ts';
import type { Candidate } from './candidate.ts';
import { identityOf, markedLoopId, type Identity } from './identity.ts';

/** What an import did, or with `dry_run` would have done. */
export interface ImportReport {
  readonly dry_run: boolean;
  /** Reflections that were not there before, at the loop and iteration that they name. */
  readonly imported: number;
  /** There already. */
  readonly identical: number;
  /** Another reflection had their loop and iteration: they have a loop beside it. */
  readonly kept_beside: number;
  readonly refused: number;
  /** The first of them; at most 100. */
  readonly refusals: readonly { readonly source: string; readonly reason: string }[];
  /** Fields of the sources that a reflection has no place for, with the number of records that have them. */
  readonly unmapped_fields: Readonly<Record<string, number>>;
}

export interface ImportOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Write nothing. */
  readonly dryRun: boolean;
}

type Outcome = 'imported' | 'identical' | 'kept_beside';

const MOST_REFUSALS = 100;
const MAX_ITERATION = 999_999_999;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Takes reflections of other stores and tools into this one: checked against the schemas, without secrets, written
 * durably, nothing that is here written over. Rejects with RalphError where the disk refuses.
 */
export async function importReflections(
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
  { repositoryRoot, dryRun }: ImportOptions,
): Promise<ImportReport> {
  const counts = { imported: 0, identical: 0, kept_beside: 0, refused: 0 };
  const refusals: { source: string; reason: string }[] = [];
  const unmapped = new Map<string, number>();
  const ground = { repositoryRoot, dryRun, planned: new Map<string, Identity>(), swept: new Set<string>() };
  for await (const { origin, record, unmapped: fields = [] } of candidates) {
    for (const field of fields) unmapped.set(field, (unmapped.get(field) ?? 0) + 1);
    const outcome = await take(record, ground);
    if (typeof outcome === 'string') counts[outcome]++;
    else if (++counts.refused <= MOST_REFUSALS) refusals.push({ source: origin, reason: outcome.problem });
  }
  return { dry_run: dryRun, ...counts, refusals, unmapped_fields: Object.fromEntries(unmapped) };
}

async function take(
  record: Candidate['record'],
  ground: Ground,
): Promise<Outcome | { readonly problem: string }> {
  if ('problem' in record) return record;
  const checked = checkRecord(record.value);
  return typeof checked === 'string' ? { problem: checked } : place(checked, ground);
}

/** The record without secrets; or why it may not be stored. */
function checkRecord(value: unknown): AiwgRecord | string {
  const clean = redactValue(value);
  // What ours asks for beyond AIWG's rules is no reason: only what breaks both is.
  const problems = validate('reflection', clean).ok ? [] : aiwgProblems(clean);
  if (problems.length > 0) return `is no reflection: ${renderProblems(problems)}`;
  const record = clean as AiwgRecord;
  if (!isLoopId(record.loop_id)) return 'has a loop id of more than 120 characters';
  if (record.iteration > MAX_ITERATION) return `has the iteration ${record.iteration}`;
  const bytes = Buffer.byteLength(textOf(record));
  return bytes > MAX_BYTES ? `has ${bytes} bytes; at most ${MAX_BYTES} are kept` : record;
}

interface Ground extends ImportOptions {
  /** What a dry run would have written by now. */
  readonly planned: Map<string, Identity>;
  /** Folders without what a killed process left there. */
  readonly swept: Set<string>;
}

/** Where the record went; or why it has no place. */
async function place(record: AiwgRecord, ground: Ground): Promise<Outcome | { readonly problem: string }> {
  const identity = identityOf(record);
  const { base, iteration, digest } = identity;
  const own = reflectionPath(base, iteration);
  const atOwn = await digestAt(own, ground);
  if (atOwn === digest) return 'identical';
  const loop = markedLoopId(identity);
  const beside = reflectionPath(loop, iteration);
  const atBeside = await digestAt(beside, ground);
  if (atBeside === digest) return 'identical';
  if (atOwn === undefined) return put(record, own, { identity, ground, outcome: 'imported' });
  if (!isLoopId(loop))
    return { problem: `differs from ${own}, and its loop id is too long to be kept beside it` };
  if (atBeside !== undefined) return { problem: `differs from ${own}, and ${beside} is taken as well` };
  return put(record, beside, { identity, ground, outcome: 'kept_beside' });
}

/** Undefined where nothing is; of a damaged file nothing is like it. */
async function digestAt(path: string, { repositoryRoot, planned }: Ground): Promise<string | undefined> {
  const plan = planned.get(path);
  if (plan !== undefined) return plan.digest;
  const absolute = resolveRalphPath(repositoryRoot, path);
  if (lstatSync(absolute, { throwIfNoEntry: false }) === undefined) return undefined;
  const number = Number.parseInt(posix.basename(path), 10);
  const found = await readRecord(repositoryRoot, { path, loop: folderOf({ path }), number });
  return typeof found === 'string' ? 'damaged' : identityOf(found.reflection).digest;
}

async function put(
  record: AiwgRecord,
  path: string,
  {
    identity,
    ground,
    outcome,
  }: { readonly identity: Identity; readonly ground: Ground; readonly outcome: Outcome },
): Promise<Outcome | { readonly problem: string }> {
  if (ground.dryRun) {
    ground.planned.set(path, identity);
    return outcome;
  }
  ensureRalphFolder(ground.repositoryRoot);
  const absolute = join(ground.repositoryRoot, path);
  await sweepOnce(dirname(absolute), ground);
  // Another import may have been here since it was looked at: then what it wrote is one to be kept beside.
  if (!(await createDurably(absolute, textOf({ ...record, loop_id: folderOf({ path }) }))))
    return place(record, ground);
  announceReflection(ground.repositoryRoot);
  return outcome;
}

/** What an import that was killed has left where this one writes. */
async function sweepOnce(folder: string, { swept }: Ground): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  await sweepOrphans(folder);
}

function textOf(record: AiwgRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
