import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { reachedSources } from '../syntax/imports.ts';
import type { TrialGround } from './session.ts';

const MOST_PROCESSES = 4;
/** Modules through which two runs of the same tests can meet: files, ports, processes, databases. */
const SHARED_STATE =
  /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"](?:node:)?(?:fs(?:\/promises)?|net|http|https|http2|tls|dgram|child_process|cluster|sqlite|fs-extra|graceful-fs|execa|tmp|tempy|pg|mysql2?|redis|ioredis|mongodb|mongoose|better-sqlite3|sqlite3|puppeteer|playwright)['"]/;

/**
 * How many processes may try candidates on a test file at the same time: one for each core, where two runs of
 * it cannot meet in a file, on a port or in a build that comes before them.
 */
export async function processesFor({ context: { root }, check, testFile }: TrialGround): Promise<number> {
  const cores = Math.min(MOST_PROCESSES, availableParallelism());
  if (cores < 2 || check.setup.length > 0) return 1;
  const files = [testFile, ...reachedSources(root, testFile).map(({ file }) => file)];
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8').catch(() => '')));
  return texts.some((text) => SHARED_STATE.test(text)) ? 1 : cores;
}
