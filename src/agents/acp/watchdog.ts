/** The reason why an attempt has to be stopped. */
export type StopCause = 'time' | 'silence' | 'abort';

/** Limits the time and the silence of one attempt of an agent. */
export interface Watchdog {
  /** Resolves once, with the first cause to stop the attempt. */
  readonly expired: Promise<StopCause>;
  /** Restarts the silence limit; called for each output of the agent. */
  reset(): void;
  /** Stops the timer and removes the listener of the signal. */
  stop(): void;
}

/** `timeoutMs`: for the whole attempt. `startMs`: until the first output. `silenceMs`: between two outputs. */
export function createWatchdog(options: {
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly startMs: number;
  readonly signal: AbortSignal;
}): Watchdog {
  const started = performance.now();
  let lastOutput: number | undefined;
  let resolve: (cause: StopCause) => void = () => {};
  const expired = new Promise<StopCause>((settle) => void (resolve = settle));
  const check = (): void => {
    const now = performance.now();
    if (now - started >= options.timeoutMs) resolve('time');
    else if (
      lastOutput === undefined ? now - started >= options.startMs : now - lastOutput >= options.silenceMs
    )
      resolve('silence');
  };
  const stepMs = Math.max(10, Math.min(1000, options.silenceMs / 4, options.timeoutMs / 4));
  const timer = setInterval(check, stepMs);
  const onAbort = (): void => resolve('abort');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  return {
    expired,
    reset: () => void (lastOutput = performance.now()),
    stop() {
      clearInterval(timer);
      options.signal.removeEventListener('abort', onAbort);
    },
  };
}
