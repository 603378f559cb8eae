/** Wakes one waiting task. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, at once if there was one since the last call, or after `ms`. */
  wait(ms: number): Promise<void>;
}

/** Creates a bell that has not rung. */
export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async wait(ms) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasRung = false;
      wake = undefined;
    },
  };
}
