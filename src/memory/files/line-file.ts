import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EverySchema } from '../../schema/generated.ts';
import { renderProblems, validate, type SchemaName } from '../../schema/validate.ts';
import { appendLine } from '../../platform/files/append-line.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { sweepOrphans, writeDurably } from '../../platform/files/durable-write.ts';
import { unwritable } from '../../platform/files/file-errors.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { sealedLine, unsealLine } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';
import { absoluteMemoryPath, readMemoryBytes } from './memory-folder.ts';
import { createLineParser } from './parse-lines.ts';

/** A file of sealed JSON lines in `.aiwg/ralph/memory` with the schema of one line. */
export interface LineFile<N extends SchemaName> {
  readonly repositoryRoot: string;
  /** Relative to the memory folder, such as `lessons.jsonl`. */
  readonly name: string;
  readonly schema: N;
}

/** The content of a line file. */
export interface Lines<T> {
  /** In the file's order. */
  readonly records: readonly T[];
  /** Number of complete lines that violate the schema or their checksum. */
  readonly damaged: number;
  /** The last line has no line break and is incomplete, as a crash during an append leaves it. */
  readonly isTorn: boolean;
  /** The last line has its line break, so that another line can be appended. */
  readonly isEnded: boolean;
  readonly content: Buffer;
}

/** The value of one line. */
export type RecordOf<N extends SchemaName> = EverySchema[`${N}.schema.json`];

const LINE_BOUNDS = { maxChars: 1024 * 1024, maxDepth: 20, maxParts: 20_000 };
const NEWLINE = 0x0a;

const parseLines = createLineParser<readonly unknown[] | undefined>();

/** Empty where there is no file, or a link that leads out of the repository. Throws RalphError where it cannot be read. */
export async function readLines<N extends SchemaName>(file: LineFile<N>): Promise<Lines<RecordOf<N>>> {
  const content = (await readMemoryBytes(file.repositoryRoot, file.name)) ?? Buffer.of();
  const isEnded = content.length === 0 || content.at(-1) === NEWLINE;
  const key = [file.schema, file.repositoryRoot, file.name].join('\n');
  const read = parseLines(key, content, (line) => parse(line, file.schema));
  const isTorn = !isEnded && read.at(-1) === undefined;
  const records = read.flatMap((record) => (record === undefined ? [] : (record as RecordOf<N>[])));
  const damaged = read.filter((record) => record === undefined).length - (isTorn ? 1 : 0);
  return { records, damaged, isTorn, isEnded, content };
}

/** Appends records durably, secrets redacted. Throws RalphError where the disk refuses. */
export function addLines<N extends SchemaName>(file: LineFile<N>, records: readonly RecordOf<N>[]): void {
  if (records.length === 0) return;
  appendLine(writablePath(file), records.map((record) => renderLine(file, record)).join('\n'));
}

/**
 * Replaces the file durably by these records, secrets redacted. Where `before` has damaged lines, its content is first
 * copied beside the file, and the copy's path returned. Throws RalphError where the disk refuses.
 */
export async function replaceLines<N extends SchemaName>(
  file: LineFile<N>,
  records: readonly RecordOf<N>[],
  before: Pick<Lines<RecordOf<N>>, 'damaged' | 'content'>,
): Promise<string | undefined> {
  const path = writablePath(file);
  await sweepOrphans(dirname(path));
  const copy = before.damaged > 0 ? await keepDamaged(path, before.content) : undefined;
  await writeDurably(path, records.map((record) => `${renderLine(file, record)}\n`).join(''));
  return copy;
}

function renderLine<N extends SchemaName>({ name, schema }: LineFile<N>, record: RecordOf<N>): string {
  const checked = validate(schema, redactValue(record));
  if (!checked.ok) throw new Error(`A line of ${name} is not valid: ${renderProblems(checked.problems)}`);
  return sealedLine(checked.value as object);
}

/** The record as a list of one, none for a blank line; undefined for a damaged one. */
function parse(line: string, schema: SchemaName): readonly unknown[] | undefined {
  if (line.trim() === '') return [];
  const read = unsealLine(line, (text) => parseBoundedJson(text, LINE_BOUNDS));
  const checked = read.ok ? validate(schema, read.value) : read;
  return checked.ok ? [checked.value] : undefined;
}

function writablePath({
  repositoryRoot,
  name,
}: Pick<LineFile<SchemaName>, 'repositoryRoot' | 'name'>): string {
  const path = absoluteMemoryPath(repositoryRoot, name);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unwritable(path, error);
  }
  return path;
}
