import type { WorkEvent } from '../../events.ts';

/** Work events of an actor that runs beside others. */
export interface BufferedWork {
  note(event: WorkEvent): void;
  /** Passes on everything noted, so that the work of several actors is not mixed. */
  pass(): void;
}

/** Keeps the events until `pass` is called. */
export function bufferedWork(onWork: (event: WorkEvent) => void): BufferedWork {
  const events: WorkEvent[] = [];
  return {
    note: (event) => void events.push(event),
    pass() {
      for (const event of events.splice(0)) onWork(event);
    },
  };
}
