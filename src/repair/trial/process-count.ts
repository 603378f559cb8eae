import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { reachedSources } from '../syntax/imports.ts';
import type { InstrumentedTarget } from './instrumented-run.ts';

const MOST_PROCESSES = 4;
/** Modules through which two runs of the same tests can interfere: files, ports, processes, databases. */
const SHARED_STATE =
  /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"](?:node:)?(?:fs(?:\/promises)?|net|http|https|http2|tls|dgram|child_process|cluster|sqlite|fs-extra|graceful-fs|execa|tmp|tempy|pg|mysql2?|redis|ioredis|mongodb|mongoose|better-sqlite3|sqlite3|puppeteer|playwright)['"]/;

/**
 * Number of processes that may run a test file at the same time: one for each core, up to 4; a single one if runs
 * could interfere through files, ports, databases or a build step.
 */
export async function parallelProcesses({
  context: { root },
  check,
  testFile,
}: InstrumentedTarget): Promise<number> {
  const cores = Math.min(MOST_PROCESSES, availableParallelism());
  if (cores < 2 || check.setup.length > 0) return 1;
  const files = [testFile, ...reachedSources(root, testFile).map(({ file }) => file)];
  const texts = await Promise.all(files.map((file) => readTreeText(join(root, file)).catch(() => '')));
  return texts.some((text) => SHARED_STATE.test(text)) ? 1 : cores;
}
