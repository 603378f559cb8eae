import { ExitCode, type ExitCode as Code } from '../errors.ts';

/** Two stages of stopping, and which exit code the stop asks for. */
export interface Interruption {
  /** The first Ctrl-C came: end once the running step is saved. */
  readonly stopRequested: () => boolean;
  /** Aborted at the second Ctrl-C or at SIGTERM: kill what runs. */
  readonly signal: AbortSignal;
  readonly exitCode: () => Code;
  /** Takes the handlers off. */
  readonly close: () => void;
}

/**
 * Listens for SIGINT and SIGTERM; `say` gets what the user should know. What has no steps to save has one stage:
 * the first Ctrl-C aborts.
 */
export function listenForInterrupts(say: (text: string) => void, stages: 1 | 2 = 2): Interruption {
  const controller = new AbortController();
  let stopRequested = false;
  let exitCode: Code = ExitCode.interrupted;
  const onInterrupt = (): void => {
    if (stopRequested || stages === 1) return controller.abort();
    stopRequested = true;
    say('Stopping once this step is saved; Ctrl-C again stops at once.');
  };
  const onTerminate = (): void => {
    stopRequested = true;
    exitCode = ExitCode.terminated;
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    stopRequested: () => stopRequested,
    signal: controller.signal,
    exitCode: () => exitCode,
    close() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
