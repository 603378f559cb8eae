import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Memory } from '../../ports.ts';
import type { Reflection } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { sweepOrphans, unreadable, writeDurably } from '../../platform/files/durable-write.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { keepDamaged, keepEarlier } from '../../platform/files/set-aside.ts';
import { announceReflection } from '../search/looked.ts';
import { readReflections, reflectionPath, type DamagedFile } from './reflection-files.ts';

export interface MemoryOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Told once of each file that is in a reflection's place and is none of ours. */
  readonly onDamaged: (file: DamagedFile) => void;
}

/**
 * Episodic memory in files: `.aiwg/ralph/reflections/<loop-id>/NNN.json`, 001 for iteration 0. Only records
 * that hold by `schemas/reflection.schema.json` are written, durably and without secrets, and only such are given as
 * episodes.
 */
export function createMemory({ repositoryRoot, onDamaged }: MemoryOptions): Memory {
  const swept = new Set<string>();
  const told = new Set<string>();

  const remember: Memory['remember'] = async (reflection) => {
    const checked = validate('reflection', redactValue(reflection));
    if (!checked.ok) throw new Error(`The reflection is not valid: ${renderProblems(checked.problems)}`);
    ensureRalphFolder(repositoryRoot);
    const path = reflectionPath(reflection.loop_id, reflection.iteration);
    const folder = dirname(join(repositoryRoot, path));
    ralphFolder(repositoryRoot).reflectionsOf(reflection.loop_id);
    if (!swept.has(folder)) await sweepOrphans(folder);
    swept.add(folder);
    const text = `${JSON.stringify(checked.value, null, 2)}\n`;
    await keepOther(join(repositoryRoot, path), text);
    await writeDurably(join(repositoryRoot, path), text);
    announceReflection(repositoryRoot);
    return { path, reflection: checked.value };
  };

  const tell = (file: DamagedFile): void => {
    const key = `${file.path}\n${file.problem}`;
    if (!told.has(key)) onDamaged(file);
    told.add(key);
  };

  const episodes = async (loopId: string): Promise<readonly Reflection[]> => {
    const { records, damaged } = await readReflections(repositoryRoot, loopId);
    damaged.forEach(tell);
    return records.flatMap((record) => {
      if (record.source === 'ralph') return [record.reflection];
      tell({ path: record.path, problem: "holds by AIWG's rules, not by ours; it can be searched" });
      return [];
    });
  };

  return { remember, episodes };
}

/** A reflection that is there already, of a step that is done again, is not written over: it is kept beside the new one. */
async function keepOther(path: string, text: string): Promise<void> {
  const other = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  });
  if (other === undefined || other.equals(Buffer.from(text))) return;
  if (isReflection(other.toString('utf8'))) await keepEarlier(path, other);
  else await keepDamaged(path, other);
}

function isReflection(text: string): boolean {
  try {
    return validate('reflection', JSON.parse(text)).ok;
  } catch {
    return false;
  }
}
