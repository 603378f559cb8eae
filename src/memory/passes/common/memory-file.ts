import { readFile } from 'node:fs/promises';
import { RalphError } from '../../../errors.ts';
import type { EverySchema } from '../../../schema/generated.ts';
import { validate, type SchemaName } from '../../../schema/validate.ts';
import { sweepOrphans, unreadable, writeDurably } from '../../../platform/files/durable-write.ts';
import { redactValue } from '../../../platform/redaction/redact.ts';
import { ensureRalphFolder, RALPH_PATHS, ralphFolder } from '../../../platform/ralph-folder.ts';
import { sealedText, unsealText } from '../../../platform/files/sealed.ts';
import { keepDamaged } from '../../../platform/files/set-aside.ts';

/** A file of the memory folder by its schema. */
export interface MemoryFile<N extends SchemaName> {
  readonly repositoryRoot: string;
  /** Relative to `.aiwg/ralph/memory`, such as `insights.json`. */
  readonly name: string;
  readonly schema: N;
}

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * What a memory file holds; undefined where there is none, or where what is there is damaged. Throws RalphError
 * where it cannot be read.
 */
export async function readMemoryFile<N extends SchemaName>(
  file: MemoryFile<N>,
): Promise<EverySchema[`${N}.schema.json`] | undefined> {
  const content = await bytesOf(file);
  return content === undefined ? undefined : valueIn(file, content);
}

/**
 * Replaces a memory file durably: sealed, without secrets, checked by its schema. One that is damaged is kept beside
 * it first. Throws RalphError where the disk refuses, and Error for a value that breaks the schema.
 */
export async function writeMemoryFile<N extends SchemaName>(
  file: MemoryFile<N>,
  value: EverySchema[`${N}.schema.json`],
): Promise<void> {
  const { repositoryRoot, name, schema } = file;
  const clean = redactValue(value);
  const checked = validate(schema, clean);
  if (!checked.ok)
    throw new Error(`${name}: ${checked.problems.map((p) => `${p.path} ${p.message}`).join('; ')}`);
  ensureRalphFolder(repositoryRoot);
  const path = ralphFolder(repositoryRoot).inMemory(name);
  await sweepOrphans(ralphFolder(repositoryRoot).memory());
  const before = await bytesOf(file);
  if (before !== undefined && valueIn(file, before) === undefined) await keepDamaged(path, before);
  await writeDurably(path, sealedText(clean));
}

/** Relative to the repository's root, for people. */
export function memoryPath(name: string): string {
  return RALPH_PATHS.inMemory(name);
}

async function bytesOf({ repositoryRoot, name }: MemoryFile<SchemaName>): Promise<Buffer | undefined> {
  try {
    return await readFile(ralphFolder(repositoryRoot).inMemory(name));
  } catch (error) {
    // A link that leads out of the repository is refused; there is nothing of ours behind it.
    if (error instanceof RalphError || isMissing(error)) return undefined;
    throw unreadable(memoryPath(name), error);
  }
}

function valueIn<N extends SchemaName>(
  { schema }: MemoryFile<N>,
  content: Buffer,
): EverySchema[`${N}.schema.json`] | undefined {
  if (content.length > MAX_BYTES) return undefined;
  const read = unsealText(content.toString('utf8'));
  const checked = read.ok ? validate(schema, read.value) : read;
  return checked.ok ? (checked.value as EverySchema[`${N}.schema.json`]) : undefined;
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
