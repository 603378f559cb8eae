import { ExitCode, type ExitCode as Code } from '../errors.ts';

/** State of a graceful or an immediate stop. */
export interface Interruption {
  /** True after the first Ctrl-C: end when the running step is saved. */
  readonly stopRequested: () => boolean;
  /** Aborted at the second Ctrl-C or at SIGTERM: kill running processes. */
  readonly signal: AbortSignal;
  /** 143 after SIGTERM, else 130. */
  readonly exitCode: () => Code;
  /** Removes the signal handlers. */
  readonly close: () => void;
}

/**
 * Listens for SIGINT and SIGTERM; `say` prints a message to the user. With one stage, for commands without steps to
 * save, the first Ctrl-C aborts.
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

/** Listens for SIGINT and SIGTERM: the first one asks for an end after the running steps, the second one for an end at once. */
export function listenForDrain(): Pick<Interruption, 'stopRequested' | 'signal' | 'close'> {
  const controller = new AbortController();
  let stopRequested = false;
  const onSignal = (): void => {
    if (stopRequested) controller.abort();
    stopRequested = true;
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stopRequested: () => stopRequested,
    signal: controller.signal,
    close() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
