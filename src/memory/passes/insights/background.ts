import type { PassResult } from '../../lessons/contract.ts';
import type { InsightStats } from './reflect.ts';

/** A synthesis beside the loop: nobody waits for it but who asks for it to end. */
export interface BackgroundReflection {
  /** Starts one unless one is running. Gives at once. */
  start(): void;
  readonly isRunning: boolean;
  /** What the running one came to, or undefined where there is none or it takes longer than this. */
  settle(timeoutMs: number): Promise<PassResult<InsightStats> | undefined>;
  /** Ends the running one; it stays due. */
  abort(): void;
}

/** `run` never rejects, and ends soon after its signal is aborted. */
export function createBackgroundReflection(
  run: (signal: AbortSignal) => Promise<PassResult<InsightStats>>,
): BackgroundReflection {
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
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs);
      });
      return Promise.race([result, late]).finally(() => clearTimeout(timer));
    },
    abort: () => running?.stop.abort(),
  };
}
