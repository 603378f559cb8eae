import type { Reporter } from '../ports.ts';
import { printableJson } from '../platform/text/printable.ts';

/** `--format jsonl`: every event as one line, as it happens. */
export function createJsonlReporter(stream: NodeJS.WritableStream): Reporter {
  return { on: (event) => void stream.write(`${printableJson(event)}\n`) };
}

/** `--format json`: one object at the end, the verdict. */
export function createJsonReporter(stream: NodeJS.WritableStream): Reporter {
  return {
    on(event) {
      if (event.type === 'loop_finished') stream.write(`${printableJson(event.verdict)}\n`);
    },
  };
}
