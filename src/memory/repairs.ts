import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Repair } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { writeDurably } from '../util/durable-write.ts';
import { ensureRalphFolder, RALPH_FOLDER, ralphPath } from '../util/ralph-folder.ts';

/** Relative to the repository's root; one repair a line, oldest first. */
export const REPAIRS_FILE = posix.join(RALPH_FOLDER, 'memory', 'repairs.jsonl');

const MOST_KEPT = 1000;

/** What fixed things in this repository before, oldest first; lines that are no repair are left out. */
export async function readRepairs(repositoryRoot: string): Promise<Repair[]> {
  let text: string;
  try {
    text = await readFile(ralphPath(repositoryRoot, 'memory', 'repairs.jsonl'), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap(repairIn);
}

/** Adds repairs durably, the oldest of very many forgotten. Throws RalphError where the disk refuses. */
export async function rememberRepairs(repositoryRoot: string, repairs: readonly Repair[]): Promise<void> {
  if (repairs.length === 0) return;
  ensureRalphFolder(repositoryRoot);
  const kept = [...(await readRepairs(repositoryRoot)), ...repairs].slice(-MOST_KEPT);
  const lines = kept.map((repair) => `${JSON.stringify(repair)}\n`).join('');
  await writeDurably(ralphPath(repositoryRoot, 'memory', 'repairs.jsonl'), lines);
}

function repairIn(line: string): Repair[] {
  if (line.trim() === '') return [];
  try {
    const checked = validate('repair', JSON.parse(line));
    return checked.ok ? [checked.value] : [];
  } catch {
    return [];
  }
}
