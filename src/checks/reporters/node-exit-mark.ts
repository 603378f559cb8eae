/**
 * Runs in every process that `node --test` starts for a file, by `--import`, before any of its code. Node takes a
 * file whose process ends by `process.exit(0)` for passed, whatever its tests had still to say: this says on
 * standard error that a process with tests ended so, and where.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Begins the line; the stack behind it is JSON. */
export const EXIT_MARK = '\u0001ralph: process.exit ';

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  keepToThisProcess();
  let hasEnded = false;
  process.once('beforeExit', () => (hasEnded = true));
  process.on('exit', (code) => {
    if (code !== 0 || hasEnded || !hasTests()) return;
    writeSync(2, `${EXIT_MARK}${JSON.stringify(new Error('process.exit').stack ?? '')}\n`);
  });
}

/** What the tests fork takes the arguments over, and its standard error may be what they look at. */
function keepToThisProcess(): void {
  const own = process.execArgv.findIndex((word) => word.includes(import.meta.url));
  if (own === -1) return;
  const isPair = process.execArgv[own - 1] === '--import';
  process.execArgv.splice(isPair ? own - 1 : own, isPair ? 2 : 1);
}

/** A script that is a test by its exit code alone never loads the module. */
function hasTests(): boolean {
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes('NativeModule test') ?? false;
}
