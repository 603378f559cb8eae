import { dirname, join } from 'node:path';
import type { Memory } from '../../ports.ts';
import type { Reflection } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { sweepOrphans, writeDurably } from '../../platform/files/durable-write.ts';
import { unreadable } from '../../platform/files/file-errors.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { keepDamaged, keepEarlier } from '../../platform/files/set-aside.ts';
import { markReflectionsChanged } from './last-look.ts';
import { readReflections, reflectionPath, type DamagedFile, type ReadBefore } from './reflection-files.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';

export interface MemoryOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Called once for each file in the place of a reflection that does not satisfy the schema. */
  readonly onDamaged: (file: DamagedFile) => void;
}

/**
 * Episodic memory in files: `.aiwg/ralph/reflections/<loop-id>/NNN.json`, 001 for iteration 0. Only records that
 * satisfy `schemas/reflection.schema.json` are written, durably and with secrets redacted, and only such are returned.
 */
export function createMemory({ repositoryRoot, onDamaged }: MemoryOptions): Memory {
  const swept = new Set<string>();
  const reported = new Set<string>();
  // A loop asks for its reflections at each attempt: reading all of them again would make attempt after attempt slower.
  const before: ReadBefore = new Map();

  const remember: Memory['remember'] = async (reflection) => {
    const checked = validate('reflection', redactValue(reflection));
    if (!checked.ok) throw new Error(`The reflection is invalid: ${renderProblems(checked.problems)}`);
    ensureRalphFolder(repositoryRoot);
    const path = reflectionPath(reflection.loop_id, reflection.iteration);
    const folder = dirname(join(repositoryRoot, path));
    ralphFolder(repositoryRoot).reflectionsOf(reflection.loop_id);
    if (!swept.has(folder)) await sweepOrphans(folder);
    swept.add(folder);
    const text = `${JSON.stringify(checked.value, null, 2)}\n`;
    await keepFormer(join(repositoryRoot, path), text);
    await writeDurably(join(repositoryRoot, path), text);
    markReflectionsChanged(repositoryRoot);
    return { path, reflection: checked.value };
  };

  const reportOnce = (file: DamagedFile): void => {
    const key = `${file.path}\n${file.problem}`;
    if (!reported.has(key)) onDamaged(file);
    reported.add(key);
  };

  const episodes = async (loopId: string): Promise<readonly Reflection[]> => {
    const { records, damaged } = await readReflections(repositoryRoot, loopId, before);
    damaged.forEach(reportOnce);
    return records.flatMap((record) => {
      if (record.source === 'ralph') return [record.reflection];
      reportOnce({
        path: record.path,
        problem: "satisfies AIWG's schema but not ralph's; it is only searched",
      });
      return [];
    });
  };

  return { remember, episodes };
}

/** Copies a different record beside the file before it is replaced, as when a step runs again. */
async function keepFormer(path: string, text: string): Promise<void> {
  const former = formerBytes(path);
  if (former === undefined || former.equals(Buffer.from(text))) return;
  if (isReflection(former.toString('utf8'))) await keepEarlier(path, former);
  else await keepDamaged(path, former);
}

function formerBytes(path: string): Buffer | undefined {
  try {
    return readOwnFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

function isReflection(text: string): boolean {
  try {
    return validate('reflection', JSON.parse(text)).ok;
  } catch {
    return false;
  }
}
