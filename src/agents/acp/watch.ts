/** Why an attempt was ended from outside. */
export type Cut = 'time' | 'silence' | 'abort';

/** Watches over one attempt of an agent. */
export interface Watch {
  /** Resolves once, with the first reason to end the attempt. */
  readonly cut: Promise<Cut>;
  /** Something was heard of the agent. */
  heard(): void;
  /** Lets go of the clock and of the signal. */
  stop(): void;
}

/** `timeoutMs` for the whole attempt, `silenceMs` between two signs of life. */
export function createWatch(options: {
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}): Watch {
  const started = performance.now();
  let heardAt = started;
  let resolve: (cut: Cut) => void = () => {};
  const cut = new Promise<Cut>((settle) => void (resolve = settle));
  const look = (): void => {
    const now = performance.now();
    if (now - started >= options.timeoutMs) resolve('time');
    else if (now - heardAt >= options.silenceMs) resolve('silence');
  };
  const stepMs = Math.max(10, Math.min(1000, options.silenceMs / 4, options.timeoutMs / 4));
  const clock = setInterval(look, stepMs);
  const onAbort = (): void => resolve('abort');
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  return {
    cut,
    heard: () => void (heardAt = performance.now()),
    stop() {
      clearInterval(clock);
      options.signal.removeEventListener('abort', onAbort);
    },
  };
}
