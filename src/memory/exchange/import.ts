import { lstatSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { renderProblems, validate } from '../../schema/validate.ts';
import { createDurably, sweepOrphans } from '../../platform/files/durable-write.ts';
import { markReflectionsChanged } from '../episodes/last-look.ts';
import { isLoopId } from '../../platform/loop-id.ts';
import { ensureRalphFolder, resolveRalphPath } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { aiwgProblems, type AiwgRecord } from '../episodes/aiwg-record.ts';
import { readRecord, reflectionPath } from '../episodes/reflection-files.ts';
import { folderOf } from '../search/search.ts';
import type { Candidate } from './candidate.ts';
import { identityOf, markedLoopId } from './identity.ts';

/** The result of an import, or what it would be with `dry_run`. */
export interface ImportReport {
  readonly dry_run: boolean;
  /** New reflections, stored at their own loop and iteration. */
  readonly imported: number;
  /** Reflections that were stored already. */
  readonly identical: number;
  /** Reflections whose loop and iteration were taken by another one: stored in a marked loop. */
  readonly kept_beside: number;
  readonly refused: number;
  /** The first 100 refusals. */
  readonly refusals: readonly { readonly source: string; readonly reason: string }[];
  /** Number of records by source field without an equivalent in a reflection. */
  readonly unmapped_fields: Readonly<Record<string, number>>;
}

export interface ImportOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Writes nothing. */
  readonly dryRun: boolean;
  /** Marks the reflections as imported: they come from elsewhere, not from an earlier run of this store. */
  readonly marked?: boolean;
}

/** A place for reflections by their path, such as the files of a repository. */
export interface ReflectionShelf {
  /** Digest of the reflection at a path, as in `identityOf`; undefined where there is none, `damaged` for an invalid one. */
  digestAt(path: string): Promise<string | undefined>;
  /** Stores a reflection whose loop id fits its path; false if something has been stored there meanwhile. */
  create(path: string, record: AiwgRecord): Promise<boolean>;
}

type Outcome = 'imported' | 'identical' | 'kept_beside';

const MOST_REFUSALS = 100;
const MAX_ITERATION = 999_999_999;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Imports reflections of other stores and tools: checked against the schemas, secrets redacted, written durably, without
 * overwriting any. Rejects with RalphError where the disk refuses.
 */
export function importReflections(
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
  { repositoryRoot, dryRun, marked = false }: ImportOptions,
): Promise<ImportReport> {
  return importInto(reflectionFiles(repositoryRoot, marked), candidates, dryRun);
}

/** As `importReflections`, into any shelf. */
export async function importInto(
  shelf: ReflectionShelf,
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
  dryRun = false,
): Promise<ImportReport> {
  const counts = { imported: 0, identical: 0, kept_beside: 0, refused: 0 };
  const refusals: { source: string; reason: string }[] = [];
  const unmapped = new Map<string, number>();
  const target = dryRun ? planFor(shelf) : shelf;
  for await (const { origin, record, unmapped: fields = [] } of candidates) {
    for (const field of fields) unmapped.set(field, (unmapped.get(field) ?? 0) + 1);
    const outcome = await importOne(record, target);
    if (typeof outcome === 'string') counts[outcome]++;
    else if (++counts.refused <= MOST_REFUSALS) refusals.push({ source: origin, reason: outcome.problem });
  }
  return { dry_run: dryRun, ...counts, refusals, unmapped_fields: Object.fromEntries(unmapped) };
}

/** The reflections of a repository as files; new ones are marked as imported if `marked` is set. */
export function reflectionFiles(repositoryRoot: string, marked = false): ReflectionShelf {
  // Folders whose temporary files of killed processes have been removed.
  const swept = new Set<string>();
  return {
    async digestAt(path) {
      const absolute = resolveRalphPath(repositoryRoot, path);
      if (lstatSync(absolute, { throwIfNoEntry: false }) === undefined) return undefined;
      const number = Number.parseInt(posix.basename(path), 10);
      const found = await readRecord(repositoryRoot, { path, loop: folderOf({ path }), number });
      return typeof found === 'string' ? 'damaged' : identityOf(found.reflection).digest;
    },
    async create(path, record) {
      ensureRalphFolder(repositoryRoot);
      const absolute = join(repositoryRoot, path);
      if (!swept.has(dirname(absolute))) await sweepOrphans(dirname(absolute));
      swept.add(dirname(absolute));
      const isNew = await createDurably(
        absolute,
        renderRecord(marked ? { ...record, imported: true } : record),
      );
      if (isNew) markReflectionsChanged(repositoryRoot);
      return isNew;
    },
  };
}

/** A shelf that remembers what would be stored, and stores nothing. */
function planFor(shelf: ReflectionShelf): ReflectionShelf {
  const planned = new Map<string, string>();
  return {
    digestAt: async (path) => planned.get(path) ?? shelf.digestAt(path),
    create: async (path, record) => Boolean(planned.set(path, identityOf(record).digest)),
  };
}

async function importOne(
  record: Candidate['record'],
  shelf: ReflectionShelf,
): Promise<Outcome | { readonly problem: string }> {
  if ('problem' in record) return record;
  const checked = checkRecord(record.value);
  return typeof checked === 'string' ? { problem: checked } : place(checked, shelf);
}

/** The redacted record; or why it is refused, as a sentence without a subject. */
function checkRecord(value: unknown): AiwgRecord | string {
  const clean = redactValue(value);
  // A record is accepted if it satisfies either schema.
  const problems = validate('reflection', clean).ok ? [] : aiwgProblems(clean);
  if (problems.length > 0) return `is not a valid reflection: ${renderProblems(problems)}`;
  const record = clean as AiwgRecord;
  if (!isLoopId(record.loop_id)) return 'has a loop id longer than 120 characters';
  if (record.iteration > MAX_ITERATION)
    return `has the iteration ${record.iteration}; the highest is ${MAX_ITERATION}`;
  const bytes = Buffer.byteLength(renderRecord(record));
  return bytes > MAX_BYTES ? `has ${bytes} bytes; at most ${MAX_BYTES} are kept` : record;
}

/** Stores the record; or says why it cannot be stored. */
async function place(
  record: AiwgRecord,
  shelf: ReflectionShelf,
): Promise<Outcome | { readonly problem: string }> {
  const identity = identityOf(record);
  const { base, iteration, digest } = identity;
  const own = reflectionPath(base, iteration);
  const atOwn = await shelf.digestAt(own);
  if (atOwn === digest) return 'identical';
  const loop = markedLoopId(identity);
  const beside = reflectionPath(loop, iteration);
  const atBeside = await shelf.digestAt(beside);
  if (atBeside === digest) return 'identical';
  const path = atOwn === undefined ? own : beside;
  if (path === beside && !isLoopId(loop))
    return { problem: `differs from ${own}, and its loop id is too long for a mark` };
  if (path === beside && atBeside !== undefined) return { problem: `differs from ${own} and from ${beside}` };
  // Another import may have created it since it was looked up: then the record is placed again.
  if (!(await shelf.create(path, { ...record, loop_id: folderOf({ path }) }))) return place(record, shelf);
  return path === own ? 'imported' : 'kept_beside';
}

function renderRecord(record: AiwgRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
