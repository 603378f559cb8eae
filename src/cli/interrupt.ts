import { ExitCode, type ExitCode as Code } from '../errors.ts';

/** State of a graceful or an immediate stop. */
export interface Interruption {
  /** True after the first Ctrl-C. */
  readonly stopRequested: () => boolean;
  /** Aborted at the first Ctrl-C: cut off what can be repeated, save, and end. */
  readonly stop: AbortSignal;
  /** Aborted at the second Ctrl-C, at SIGTERM and at SIGHUP: kill running processes. */
  readonly signal: AbortSignal;
  /** 143 after SIGTERM and SIGHUP, else 130. */
  readonly exitCode: () => Code;
  /** Removes the signal handlers. */
  readonly close: () => void;
}

/** Signals of a service manager, and of the system when the terminal is closed. */
const TERMINATING = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for SIGINT, SIGTERM and SIGHUP; `say` prints a message to the user. With one stage, for commands without steps to
 * save, the first Ctrl-C aborts.
 */
export function listenForInterrupts(say: (text: string) => void, stages: 1 | 2 = 2): Interruption {
  const stop = new AbortController();
  const controller = new AbortController();
  let exitCode: Code = ExitCode.interrupted;
  const onInterrupt = (): void => {
    if (stop.signal.aborted || stages === 1) return controller.abort();
    say('Stopping; a running agent or command ends first. Ctrl-C again stops at once.');
    stop.abort();
  };
  const onTerminate = (): void => {
    exitCode = ExitCode.terminated;
    controller.abort();
    stop.abort();
  };
  process.on('SIGINT', onInterrupt);
  for (const name of TERMINATING) process.on(name, onTerminate);
  return {
    stopRequested: () => stop.signal.aborted,
    stop: stop.signal,
    signal: controller.signal,
    exitCode: () => exitCode,
    close() {
      process.off('SIGINT', onInterrupt);
      for (const name of TERMINATING) process.off(name, onTerminate);
    },
  };
}

/** Listens for SIGINT, SIGTERM and SIGHUP: the first one asks for an end after the running steps, the second one for an end at once. */
export function listenForDrain(): Pick<Interruption, 'stopRequested' | 'signal' | 'close'> {
  const controller = new AbortController();
  let stopRequested = false;
  const onSignal = (): void => {
    if (stopRequested) controller.abort();
    stopRequested = true;
  };
  for (const name of ['SIGINT', ...TERMINATING]) process.on(name, onSignal);
  return {
    stopRequested: () => stopRequested,
    signal: controller.signal,
    close() {
      for (const name of ['SIGINT', ...TERMINATING]) process.off(name, onSignal);
    },
  };
}
