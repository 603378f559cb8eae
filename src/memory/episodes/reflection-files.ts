import { lstatSync, readFileSync, readdirSync, type Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import type { Reflection } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { unreadable } from '../../platform/files/file-errors.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { isAiwgRecord, type AiwgRecord } from './aiwg-record.ts';

/** A stored reflection that satisfies ralph's schema, or only AIWG's looser one. `number`: 1-based, as in its name. */
export type ReflectionRecord = { readonly path: string; readonly number: number } & (
  | { readonly source: 'ralph'; readonly reflection: Reflection }
  | { readonly source: 'aiwg'; readonly reflection: AiwgRecord }
);

/** A file among the reflections that is not a valid reflection. */
export interface DamagedFile {
  /** Relative to the repository's root. */
  readonly path: string;
  /** The problem as a sentence without a subject. */
  readonly problem: string;
}

/** A file among the reflections. */
export interface ReflectionFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  /** Name of its folder. */
  readonly loop: string;
  /** 1-based, as in its name; null for a name unlike `001.json`. */
  readonly number: number | null;
}

/** What was read of each file, by its path, and the mark of the file at that time. */
export type ReadBefore = Map<string, { readonly mark: string; readonly record: ReflectionRecord | string }>;

/** Files that are read before other work of the process gets its turn. */
export const TURN = 200;
const NAME = /^(\d{3,15})\.json$/;
const MAX_BYTES = 5 * 1024 * 1024;
/** The problem of a file whose name is not a number. */
export const NAME_PROBLEM = 'is not named like 001.json';
/** Limits the number of schema problems, one for each invalid part. */
const BOUNDS = { maxDepth: 40, maxParts: 200_000 };

/** `.aiwg/ralph/reflections/<loop-id>/NNN.json`, relative to the root; `iteration` is 0-based, 001 for iteration 0. */
export function reflectionPath(loopId: string, iteration: number): string {
  return RALPH_PATHS.reflection(loopId, iteration);
}

/**
 * All reflections of the repository or of one loop, by loop, then by number (9 before 10, 999 before 1000). Invalid files
 * are listed in `damaged`. Never rejects for the content of a file. `before` is updated; a file that has not changed since
 * is not read again.
 */
export async function readReflections(
  repositoryRoot: string,
  loopId?: string,
  before?: ReadBefore,
): Promise<{ readonly records: ReflectionRecord[]; readonly damaged: DamagedFile[] }> {
  const records: ReflectionRecord[] = [];
  const damaged = await visitReflections(repositoryRoot, (record) => records.push(record), {
    loopId,
    before,
  });
  return { records, damaged };
}

/**
 * Calls `visit` with each reflection in the order of `readReflections`, and returns the invalid files. No reflection is
 * kept unless `visit` keeps it or `before` is given, so that thousands of them need little memory.
 */
export async function visitReflections(
  repositoryRoot: string,
  visit: (record: ReflectionRecord) => void,
  { loopId, before }: { readonly loopId?: string | undefined; readonly before?: ReadBefore | undefined } = {},
): Promise<DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  let read = 0;
  for (const file of filesIn(repositoryRoot, await loopsOf(repositoryRoot, loopId))) {
    if (++read % TURN === 0) await nextTurn();
    const record = readChanged(repositoryRoot, file, before);
    if (typeof record === 'string') damaged.push({ path: file.path, problem: record });
    else visit(record);
  }
  return damaged;
}

function readChanged(
  repositoryRoot: string,
  file: ReflectionFile,
  before: ReadBefore | undefined,
): ReflectionRecord | string {
  const mark = before && markOf(join(repositoryRoot, file.path));
  if (mark === undefined) return readRecordSync(repositoryRoot, file);
  const known = before?.get(file.path);
  if (known?.mark === mark) return known.record;
  const record = readRecordSync(repositoryRoot, file);
  before?.set(file.path, { mark, record });
  return record;
}

/** A text that changes with the file; undefined for one that is gone or cannot be looked at. */
function markOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/** The `*.json` files among the reflections in the order of `readReflections`, without hidden ones. */
export async function listReflectionFiles(
  repositoryRoot: string,
  loopId?: string,
): Promise<ReflectionFile[]> {
  return [...filesIn(repositoryRoot, await loopsOf(repositoryRoot, loopId))];
}

async function loopsOf(repositoryRoot: string, loopId: string | undefined): Promise<string[]> {
  const loops = await loopFolders(repositoryRoot);
  return loops.filter((loop) => loopId === undefined || loop === loopId);
}

/** The files of the loops, each folder listed when its turn comes. */
function* filesIn(repositoryRoot: string, loops: readonly string[]): Generator<ReflectionFile> {
  const base = ralphFolder(repositoryRoot).reflections();
  // A folder is no link, so that its path need not be resolved again.
  for (const loop of loops) yield* toFiles(loop, namesIn(join(base, loop)));
}

/** The reflection in a file; or, as a sentence without a subject, why it is invalid. */
export async function readRecord(
  repositoryRoot: string,
  file: ReflectionFile,
): Promise<ReflectionRecord | string> {
  return toRecord(file, await readJson(repositoryRoot, file));
}

/** `readRecord` without promises: for thousands of files, each of which would wait for the thread pool four times. */
export function readRecordSync(repositoryRoot: string, file: ReflectionFile): ReflectionRecord | string {
  return toRecord(file, readJsonSync(repositoryRoot, file));
}

/** `readJson` without promises. */
export function readJsonSync(
  repositoryRoot: string,
  { path }: ReflectionFile,
): { readonly value: unknown } | string {
  const absolute = join(repositoryRoot, path);
  try {
    return problemOf(lstatSync(absolute)) ?? parseRecord(readFileSync(absolute, 'utf8'));
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/** The JSON value in a file; or, as a sentence without a subject, why it cannot be read. */
async function readJson(
  repositoryRoot: string,
  { path }: ReflectionFile,
): Promise<{ readonly value: unknown } | string> {
  const absolute = join(repositoryRoot, path);
  try {
    return problemOf(await lstat(absolute)) ?? parseRecord(await readFile(absolute, 'utf8'));
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

function problemOf(found: Stats): string | undefined {
  if (!found.isFile()) return 'is not a regular file';
  return found.size > MAX_BYTES ? `has ${found.size} bytes; at most ${MAX_BYTES} are read` : undefined;
}

function parseRecord(text: string): { readonly value: unknown } {
  return { value: parseBoundedJson(text, BOUNDS) };
}

/** The problem of a record whose loop or iteration differs from its path; undefined where they agree. */
export function misplacement(reflection: Reflection, { path }: ReflectionFile): string | undefined {
  const { loop_id, iteration } = reflection;
  return reflectionPath(loop_id, iteration) === path
    ? undefined
    : `is iteration ${iteration} of ${loop_id}, which belongs at ${reflectionPath(loop_id, iteration)}`;
}

/** Names of the loops' folders among the reflections, sorted. */
export async function loopFolders(repositoryRoot: string): Promise<string[]> {
  const entries = await readFolder(ralphFolder(repositoryRoot).reflections());
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The `*.json` files of one loop's folder by number, without hidden ones. */
export async function listLoopFiles(repositoryRoot: string, loop: string): Promise<ReflectionFile[]> {
  const entries = await readFolder(ralphFolder(repositoryRoot).reflectionsOf(loop));
  return toFiles(
    loop,
    entries.map(({ name }) => name),
  );
}

function toFiles(loop: string, names: readonly string[]): ReflectionFile[] {
  return names
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => ({
      path: posix.join(RALPH_PATHS.reflectionsOf(loop), name),
      loop,
      number: numberOf(name),
    }))
    .sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity) || a.path.localeCompare(b.path));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw unreadable(folder, error);
  }
}

function numberOf(name: string): number | null {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

function toRecord(file: ReflectionFile, json: { value: unknown } | string): ReflectionRecord | string {
  const { path, number } = file;
  if (number === null) return NAME_PROBLEM;
  if (typeof json === 'string') return json;
  const checked = validate('reflection', json.value);
  if (checked.ok) {
    return misplacement(checked.value, file) ?? { path, number, source: 'ralph', reflection: checked.value };
  }
  if (isAiwgRecord(json.value)) return { path, number, source: 'aiwg', reflection: json.value };
  return `is not a valid reflection: ${renderProblems(checked.problems)}`;
}
