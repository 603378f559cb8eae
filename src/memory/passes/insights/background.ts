import type { PassResult } from '../../lessons/contract.ts';
import type { InsightStats } from './pass.ts';

/** A synthesis in the background: the loop never waits for it, except at its end. */
export interface BackgroundSynthesis {
  /** Starts a synthesis unless one is running. Returns at once. */
  start(): void;
  readonly isRunning: boolean;
  /** The result of the running synthesis; undefined where none is running, or the time runs out. */
  settle(timeoutMs: number): Promise<PassResult<InsightStats> | undefined>;
  /** Aborts the running synthesis; it stays due. */
  abort(): void;
}

/** `run` must never reject, and must end soon after its signal is aborted. */
export function createBackgroundSynthesis(
  run: (signal: AbortSignal) => Promise<PassResult<InsightStats>>,
): BackgroundSynthesis {
  let running:
    { readonly result: Promise<PassResult<InsightStats>>; readonly stop: AbortController } | undefined;
  return {
    get isRunning() {
      return running !== undefined;
    },
    start() {
      if (running !== undefined) return;
      const stop = new AbortController();
      running = { result: run(stop.signal).finally(() => (running = undefined)), stop };
    },
    async settle(timeoutMs) {
      if (running === undefined) return undefined;
      const { result } = running;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs);
      });
      return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
    },
    abort: () => running?.stop.abort(),
  };
}
