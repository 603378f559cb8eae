import type { EverySchema } from '../../schema/generated.ts';
import { renderProblems, validate, type SchemaName } from '../../schema/validate.ts';
import { sweepOrphans, writeDurably } from '../../platform/files/durable-write.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { sealedText, unsealText } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';
import { absoluteMemoryPath, readMemoryBytes } from './memory-folder.ts';

/** A sealed JSON file in `.aiwg/ralph/memory` with the schema of its value. */
export interface JsonFile<N extends SchemaName> {
  readonly repositoryRoot: string;
  /** Relative to the memory folder, such as `insights.json`. */
  readonly name: string;
  readonly schema: N;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The value of a file; undefined where it is missing or damaged. Throws RalphError where it cannot be read. */
export async function readJsonFile<N extends SchemaName>(
  file: JsonFile<N>,
): Promise<EverySchema[`${N}.schema.json`] | undefined> {
  const content = await readMemoryBytes(file.repositoryRoot, file.name);
  return content === undefined ? undefined : parse(file, content);
}

/**
 * Replaces a file durably: secrets redacted, checked by the schema, sealed. A damaged file is first copied beside it.
 * Throws RalphError where the disk refuses, and Error for a value that violates the schema.
 */
export async function writeJsonFile<N extends SchemaName>(
  file: JsonFile<N>,
  value: EverySchema[`${N}.schema.json`],
): Promise<void> {
  const { repositoryRoot, name, schema } = file;
  const clean = redactValue(value);
  const checked = validate(schema, clean);
  if (!checked.ok) throw new Error(`${name}: ${renderProblems(checked.problems)}`);
  ensureRalphFolder(repositoryRoot);
  const path = absoluteMemoryPath(repositoryRoot, name);
  await sweepOrphans(ralphFolder(repositoryRoot).memory());
  const before = await readMemoryBytes(repositoryRoot, name);
  if (before !== undefined && parse(file, before) === undefined) await keepDamaged(path, before);
  await writeDurably(path, sealedText(clean));
}

function parse<N extends SchemaName>(
  { schema }: JsonFile<N>,
  content: Buffer,
): EverySchema[`${N}.schema.json`] | undefined {
  if (content.length > MAX_BYTES) return undefined;
  const read = unsealText(content.toString('utf8'));
  const checked = read.ok ? validate(schema, read.value) : read;
  return checked.ok ? (checked.value as EverySchema[`${N}.schema.json`]) : undefined;
}
