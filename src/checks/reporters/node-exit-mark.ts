/**
 * Runs in every process that `node --test` starts for a file, by `--import`, before any of the file's code. Node
 * reports a file as passed when its process ends by `process.exit(0)`, even with unfinished tests. This module marks
 * such an end on standard error, with its stack.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Start of the marking line; the stack follows as JSON. */
export const EXIT_MARK = '\u0001ralph: process.exit ';

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  removeFromExecArgv();
  let hasEnded = false;
  process.once('beforeExit', () => (hasEnded = true));
  process.on('exit', (code) => {
    if (code !== 0 || hasEnded || !hasTests()) return;
    writeSync(2, `${EXIT_MARK}${JSON.stringify(new Error('process.exit').stack ?? '')}\n`);
  });
}

/** Processes that tests fork inherit execArgv, and tests may compare their standard error. */
function removeFromExecArgv(): void {
  const own = process.execArgv.findIndex((word) => word.includes(import.meta.url));
  if (own === -1) return;
  const isPair = process.execArgv[own - 1] === '--import';
  process.execArgv.splice(isPair ? own - 1 : own, isPair ? 2 : 1);
}

/** A script that is a test by its exit code only never loads node:test. */
function hasTests(): boolean {
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes('NativeModule test') ?? false;
}
