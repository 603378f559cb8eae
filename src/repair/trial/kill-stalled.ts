import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processIn } from './process-space.ts';
import type { TrialRecord } from './protocol.ts';

const POLL_MS = 250;

/**
 * Kills test processes whose candidate has run for `stallMs` longer than its limits allow. Only a kill stops work
 * inside the engine itself, such as flattening half a gigabyte of text. `records` is the plan's folder. Returns a
 * function that stops watching.
 */
export function killStalled(records: string, stallMs: number): () => void {
  const seen = new Map<string, { readonly size: number; readonly since: number }>();
  const look = (): void => {
    for (const file of readdirSync(records)) {
      const path = join(records, file);
      const { size } = statSync(path);
      const known = seen.get(file);
      if (known === undefined || known.size !== size) seen.set(file, { size, since: performance.now() });
      else killIfOver(path, performance.now() - known.since - stallMs);
    }
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // The folder is removed when the run ends.
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** The time limit applies three times to a candidate: to the hooks before, the test, and the hooks after. */
const STRETCHES = 3;

/** Kills only while a candidate runs: loading and the runner's own work have no limit here. */
function killIfOver(path: string, overMs: number): void {
  if (overMs <= 0) return;
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const [first, last] = [lines.at(0), lines.at(-1)].map((line) => JSON.parse(line ?? '{}') as TrialRecord);
  if (first?.type !== 'loaded' || last?.type !== 'start') return;
  const pid = processIn(first.space, first.pid);
  if (pid !== undefined && overMs > STRETCHES * last.limitMs) process.kill(pid, 'SIGKILL');
}
