import { dirname, join } from 'node:path';
import type { Memory } from '../ports.ts';
import type { Reflection } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { sweepOrphans, writeDurably } from '../util/durable-write.ts';
import { ensureRalphFolder, ralphPath } from '../util/ralph-folder.ts';
import { readReflections, reflectionPath, type DamagedFile } from './reflection-files.ts';

export interface MemoryOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** Told once of each file that is in a reflection's place and is none of ours. */
  readonly onDamaged: (file: DamagedFile) => void;
}

/**
 * Episodic memory in files: `.aiwg/ralph/reflections/<loop-id>/NNN.json`, 001 for iteration 0. Only records
 * that hold by `schemas/reflection.schema.json` are written, durably, and only such are given as episodes.
 */
export function createMemory({ repositoryRoot, onDamaged }: MemoryOptions): Memory {
  const swept = new Set<string>();
  const told = new Set<string>();

  const remember = async (reflection: Reflection): Promise<string> => {
    const checked = validate('reflection', reflection);
    if (!checked.ok) throw new Error(`The reflection is not valid: ${renderProblems(checked.problems)}`);
    ensureRalphFolder(repositoryRoot);
    const path = reflectionPath(reflection.loop_id, reflection.iteration);
    const folder = dirname(join(repositoryRoot, path));
    ralphPath(repositoryRoot, 'reflections', reflection.loop_id);
    if (!swept.has(folder)) await sweepOrphans(folder);
    swept.add(folder);
    await writeDurably(join(repositoryRoot, path), `${JSON.stringify(reflection, null, 2)}\n`);
    return path;
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
