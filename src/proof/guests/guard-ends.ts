/** Receives what ended or silenced the process, such as `process.exit`, and the stack of the code that did it. */
export type NoteEnd = (name: string, stack: string) => void;

type Listener = (...given: readonly unknown[]) => unknown;
type Listen = (event: string | symbol, listener: Listener) => NodeJS.Process;

const SILENCING = new Set<string | symbol>(['uncaughtException', 'unhandledRejection']);
const REGISTERING = ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'] as const;

/**
 * Notes each end of the process with exit code 0 that code asks for, each exit code that is put back to 0, and each
 * uncaught error that a listener receives in a process that then ends with exit code 0. All of them still work as before. `trace`: the stack of its caller.
 * A package manager, which loads no source, sets a failing exit code until it has ended well.
 */
export function guardEnds(note: NoteEnd, trace: () => string, isManager: boolean): void {
  guardExit(note, trace);
  if (!isManager) guardExitCode(note);
  guardListeners(note, trace);
}

/** `process.exit` calls `process.reallyExit`, so that one end may be noted twice. */
function guardExit(note: NoteEnd, trace: () => string): void {
  for (const name of ['exit', 'reallyExit']) {
    const owner = process as unknown as Record<string, (code?: unknown) => never>;
    const real = owner[name];
    if (typeof real !== 'function') continue;
    owner[name] = function (this: unknown, ...given: [code?: unknown]): never {
      const code = given[0] ?? process.exitCode ?? 0;
      if (Number(code) === 0) note(`process.${name}`, trace());
      return Reflect.apply(real, this, given);
    };
    Object.defineProperty(owner[name], 'name', { value: name });
  }
}

const SAMPLE_MS = 1;

/**
 * The exit code is no property that can be watched, so it is read again and again, before the listeners of the end and
 * after them. Who put it back is not known.
 */
function guardExitCode(note: NoteEnd): void {
  let last = false;
  const read = (): void => {
    const isFailing = Number(process.exitCode ?? 0) !== 0;
    if (last && !isFailing) note('process.exitCode', '');
    last = isFailing;
  };
  setInterval(read, SAMPLE_MS).unref();
  const real = process.emit.bind(process) as (event: string, ...given: unknown[]) => boolean;
  const emit = (event: string, ...given: unknown[]): boolean => {
    read();
    if (event === 'exit') last ||= given[0] !== 0;
    const hasListeners = real(event, ...given);
    read();
    return hasListeners;
  };
  process.emit = emit as typeof process.emit;
}

/** A listener that received an error is noted at the end, with the stack of the code that registered it. */
function guardListeners(note: NoteEnd, trace: () => string): void {
  const received: [name: string, stack: string][] = [];
  process.on('exit', (code) => {
    if (code === 0) for (const [name, stack] of received) note(name, stack);
  });
  const owner = process as unknown as Record<string, Listen>;
  for (const name of REGISTERING) {
    const real = owner[name]!;
    owner[name] = function (this: unknown, event, listener) {
      if (!SILENCING.has(event) || typeof listener !== 'function')
        return Reflect.apply(real, this, [event, listener]) as NodeJS.Process;
      const stack = trace();
      const noting = function (this: unknown, ...given: readonly unknown[]): unknown {
        received.push([`the event ${String(event)}`, stack]);
        return Reflect.apply(listener, this, given);
      };
      return Reflect.apply(real, this, [event, Object.assign(noting, { listener })]) as NodeJS.Process;
    };
  }
  const real = process.setUncaughtExceptionCaptureCallback.bind(process);
  process.setUncaughtExceptionCaptureCallback = (callback) => {
    if (callback === null) return real(callback);
    const stack = trace();
    real((error) => {
      received.push(['the event uncaughtException', stack]);
      callback(error);
    });
  };
}
