import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RalphError } from '../../../errors.ts';
import type { Observation } from '../../../schema/generated.ts';
import { validate } from '../../../schema/validate.ts';
import { appendLine } from '../../../platform/files/append-line.ts';
import { parseBoundedJson } from '../../../platform/text/bounded-json.ts';
import { sweepOrphans, unreadable, writeDurably } from '../../../platform/files/durable-write.ts';
import { redactValue } from '../../../platform/redaction/redact.ts';
import { ensureRalphFolder, ralphFolder } from '../../../platform/ralph-folder.ts';
import { sealedLine, unsealLine } from '../../../platform/files/sealed.ts';
import { keepDamaged } from '../../../platform/files/set-aside.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';
import { memoryPath } from '../common/memory-file.ts';
import type { ScoreImportance } from './importance.ts';
import { observationId, observe, type AttemptSeen } from './observe.ts';

const FILE = 'observations.jsonl';
/** Relative to the repository's root; one attempt a line, oldest first. */
export const OBSERVATIONS_FILE = memoryPath(FILE);

/** More than this many lines: the older half goes into `history/`. */
export const MOST_LINES = 600;
const LINE_BOUNDS = { maxChars: 1024 * 1024, maxDepth: 10, maxParts: 20_000 };

export interface ObserveNow {
  readonly score?: ScoreImportance | undefined;
  readonly now?: (() => Date) | undefined;
}

/** Every attempt that is kept, oldest first; damaged lines are left out. Throws RalphError where it cannot be read. */
export async function readObservations(repositoryRoot: string): Promise<readonly Observation[]> {
  return read(await contentOf(repositoryRoot)).observations;
}

/** Those that a synthesis looks at: not archived, the newest `count`, oldest first. */
export function recentOf(observations: readonly Observation[], count: number): Observation[] {
  return count <= 0 ? [] : observations.filter(({ archived }) => archived === undefined).slice(-count);
}

/**
 * Stores an attempt durably and gives its record; one that is stored already is given as it stands. Waits for no
 * model. Throws RalphError where the disk refuses.
 */
export function commitObservation(
  repositoryRoot: string,
  seen: AttemptSeen,
  { score, now = () => new Date() }: ObserveNow = {},
): Promise<Observation> {
  return withMemoryLock(repositoryRoot, async () => {
    const earlier = await readObservations(repositoryRoot);
    const known = earlier.find(({ id }) => id === observationId(seen.loopId, seen.iteration));
    if (known !== undefined) return known;
    const observation = redactValue(observe(seen, { earlier, at: now().toISOString(), score }));
    const checked = validate('observation', observation);
    if (!checked.ok) throw new Error(`An observation breaks its schema: ${checked.problems[0]?.path}`);
    ensureRalphFolder(repositoryRoot);
    const path = pathOf(repositoryRoot);
    mkdirSync(dirname(path), { recursive: true });
    appendLine(path, sealedLine(observation));
    if (earlier.length >= MOST_LINES) await moveOlderHalf(repositoryRoot);
    return observation;
  });
}

/** Takes observations out of what a synthesis looks at; they stay in the file. Gives how many it took out. */
export function archiveObservations(
  repositoryRoot: string,
  ids: ReadonlySet<string>,
  reason: string,
): Promise<number> {
  return withMemoryLock(repositoryRoot, async () => {
    const observations = await readObservations(repositoryRoot);
    const leaving = observations.filter(({ id, archived }) => ids.has(id) && archived === undefined);
    if (leaving.length === 0) return 0;
    const marked = new Set(leaving);
    await rewrite(
      repositoryRoot,
      observations.map((one) => (marked.has(one) ? { ...one, archived: reason } : one)),
    );
    return leaving.length;
  });
}

async function moveOlderHalf(repositoryRoot: string): Promise<void> {
  const observations = await readObservations(repositoryRoot);
  const older = observations.slice(0, Math.floor(observations.length / 2));
  const [first, last] = [older[0]?.seq ?? 0, older.at(-1)?.seq ?? 0];
  const path = ralphFolder(repositoryRoot).inMemory(`history/observations-${first}-${last}.jsonl`);
  await writeDurably(path, older.map((one) => `${sealedLine(one)}\n`).join(''));
  await rewrite(repositoryRoot, observations.slice(older.length));
}

async function rewrite(repositoryRoot: string, observations: readonly Observation[]): Promise<void> {
  const path = pathOf(repositoryRoot);
  await sweepOrphans(dirname(path));
  const content = await contentOf(repositoryRoot);
  if (read(content).damaged > 0) await keepDamaged(path, content);
  await writeDurably(path, observations.map((one) => `${sealedLine(one)}\n`).join(''));
}

function read(content: Buffer): { observations: Observation[]; damaged: number } {
  const lines = content
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const byId = new Map<string, Observation>();
  let damaged = 0;
  for (const line of lines) {
    const unsealed = unsealLine(line, (text) => parseBoundedJson(text, LINE_BOUNDS));
    const checked = unsealed.ok ? validate('observation', unsealed.value) : unsealed;
    if (checked.ok) byId.set(checked.value.id, checked.value);
    else damaged++;
  }
  return { observations: [...byId.values()].sort((a, b) => a.seq - b.seq), damaged };
}

async function contentOf(repositoryRoot: string): Promise<Buffer> {
  try {
    return await readFile(pathOf(repositoryRoot));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof RalphError || ['ENOENT', 'ENOTDIR'].includes(code)) return Buffer.of();
    throw unreadable(OBSERVATIONS_FILE, error);
  }
}

function pathOf(repositoryRoot: string): string {
  return ralphFolder(repositoryRoot).inMemory(FILE);
}
