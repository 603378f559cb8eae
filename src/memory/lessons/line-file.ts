import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RalphError } from '../../errors.ts';
import type { EverySchema } from '../../schema/generated.ts';
import { validate, type SchemaName } from '../../schema/validate.ts';
import { appendLine } from '../../platform/files/append-line.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { sweepOrphans, unreadable, unwritable, writeDurably } from '../../platform/files/durable-write.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { sealedLine, unsealLine } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';

/** A file of sealed JSON lines in `.aiwg/ralph/memory/`. */
export interface LineFile<N extends SchemaName> {
  readonly repositoryRoot: string;
  /** For example `lessons.jsonl`. */
  readonly name: string;
  readonly schema: N;
}

/** What such a file holds. */
export interface Lines<T> {
  /** In the file's order. */
  readonly records: readonly T[];
  /** Lines that are none of ours, or not as they were written; the torn end that a crash leaves is no such line. */
  readonly damaged: number;
  /** Its last line has its end: another one may be added. */
  readonly isEnded: boolean;
  readonly content: Buffer;
}

/** What a line holds. */
export type RecordOf<N extends SchemaName> = EverySchema[`${N}.schema.json`];

const LINE_BOUNDS = { maxChars: 1024 * 1024, maxDepth: 20, maxParts: 10_000 };

/** Relative to the repository's root. */
export function pathOfLines(name: string): string {
  return RALPH_PATHS.inMemory(name);
}

/** Empty where there is no file, or a link that leads out of the repository. Throws RalphError where it cannot be read. */
export async function readLines<N extends SchemaName>(file: LineFile<N>): Promise<Lines<RecordOf<N>>> {
  const content = await contentOf(file);
  const isEnded = content.length === 0 || content.at(-1) === 0x0a;
  const lines = content.toString('utf8').split('\n');
  const read = lines.map((line) => (line.trim() === '' ? [] : recordIn(line, file.schema)));
  const isTorn = !isEnded && read.at(-1) === undefined;
  const records = read.flatMap((record) => (record === undefined ? [] : (record as RecordOf<N>[])));
  const damaged = read.filter((record) => record === undefined).length - (isTorn ? 1 : 0);
  return { records, damaged, isEnded, content };
}

/** Adds records durably to what `readLines` gave. Throws RalphError where the disk refuses. */
export function addLines<N extends SchemaName>(file: LineFile<N>, records: readonly RecordOf<N>[]): void {
  if (records.length === 0) return;
  appendLine(writablePath(file), records.map((record) => lineOf(file, record)).join('\n'));
}

/**
 * Replaces the file by these records; where the old one has damaged lines it is kept beside it first, and that file's
 * path is given. Throws RalphError where the disk refuses.
 */
export async function replaceLines<N extends SchemaName>(
  file: LineFile<N>,
  records: readonly RecordOf<N>[],
  { damaged, content }: Pick<Lines<RecordOf<N>>, 'damaged' | 'content'>,
): Promise<string | undefined> {
  const path = writablePath(file);
  await sweepOrphans(dirname(path));
  const aside = damaged > 0 ? await keepDamaged(path, content) : undefined;
  await writeDurably(path, records.map((record) => `${lineOf(file, record)}\n`).join(''));
  return aside;
}

function lineOf<N extends SchemaName>({ name, schema }: LineFile<N>, record: RecordOf<N>): string {
  const checked = validate(schema, redactValue(record));
  if (!checked.ok) throw new Error(`A line of ${name} is not valid: ${JSON.stringify(checked.problems[0])}`);
  return sealedLine(checked.value as object);
}

/** The record as a list of one; undefined where the line holds none. */
function recordIn(line: string, schema: SchemaName): readonly unknown[] | undefined {
  const read = unsealLine(line, (text) => parseBoundedJson(text, LINE_BOUNDS));
  const checked = read.ok ? validate(schema, read.value) : read;
  return checked.ok ? [checked.value] : undefined;
}

function writablePath({
  repositoryRoot,
  name,
}: Pick<LineFile<SchemaName>, 'repositoryRoot' | 'name'>): string {
  const path = ralphFolder(repositoryRoot).inMemory(name);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unwritable(path, error);
  }
  return path;
}

async function contentOf({ repositoryRoot, name }: LineFile<SchemaName>): Promise<Buffer> {
  try {
    return await readFile(ralphFolder(repositoryRoot).inMemory(name));
  } catch (error) {
    // A link that leads out of the repository is refused; there is nothing of ours behind it.
    if (error instanceof RalphError || isMissing(error)) return Buffer.of();
    throw unreadable(pathOfLines(name), error);
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
