import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RalphError } from '../../errors.ts';
import type { Repair } from '../../schema/generated.ts';
import { validate } from '../../schema/validate.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { sweepOrphans, unreadable, writeDurably } from '../../platform/files/durable-write.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { ensureRalphFolder, RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { sealedLine, unsealLine } from '../../platform/files/sealed.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';

/** Relative to the repository's root; one repair a line, oldest first. */
export const REPAIRS_FILE = RALPH_PATHS.inMemory('repairs.jsonl');

const MOST_KEPT = 1000;
const LINE_BOUNDS = { maxChars: 1024 * 1024, maxDepth: 20, maxParts: 10_000 };

/** What fixed things in this repository before, oldest first; lines that are no repair are left out. */
export async function readRepairs(repositoryRoot: string): Promise<Repair[]> {
  const content = await contentOf(repositoryRoot);
  return linesOf(content).flatMap((line) => repairIn(line) ?? []);
}

/**
 * Adds repairs durably, the oldest of very many forgotten. Where there are lines that are no repair the whole file is
 * kept beside it first; gives that file's path then. Throws RalphError where the disk refuses.
 */
export async function rememberRepairs(
  repositoryRoot: string,
  repairs: readonly Repair[],
): Promise<string | undefined> {
  if (repairs.length === 0) return undefined;
  ensureRalphFolder(repositoryRoot);
  const path = ralphFolder(repositoryRoot).inMemory('repairs.jsonl');
  await sweepOrphans(dirname(path));
  const content = await contentOf(repositoryRoot);
  const known = linesOf(content).map(repairIn);
  const aside = known.includes(undefined) ? await keepDamaged(path, content) : undefined;
  const kept = [...known.filter((repair) => repair !== undefined), ...repairs].slice(-MOST_KEPT);
  await writeDurably(path, kept.map((repair) => `${sealedLine(redactValue(repair))}\n`).join(''));
  return aside;
}

async function contentOf(repositoryRoot: string): Promise<Buffer> {
  try {
    return await readFile(ralphFolder(repositoryRoot).inMemory('repairs.jsonl'));
  } catch (error) {
    // A link that leads out of the repository is refused; there is nothing of ours behind it.
    if (error instanceof RalphError || isMissing(error)) return Buffer.of();
    throw unreadable(REPAIRS_FILE, error);
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function linesOf(content: Buffer): string[] {
  return content
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function repairIn(line: string): Repair | undefined {
  const read = unsealLine(line, (text) => parseBoundedJson(text, LINE_BOUNDS));
  const checked = read.ok ? validate('repair', read.value) : read;
  return checked.ok ? checked.value : undefined;
}
