import type { Reporter } from '../ports.ts';
import { printableJson } from '../platform/text/printable.ts';

/** Creates the reporter of `--format jsonl`: each event as one line of JSON when it occurs. */
export function createJsonlReporter(stream: NodeJS.WritableStream): Reporter {
  return { on: (event) => void stream.write(`${printableJson(event)}\n`) };
}

/** Creates the reporter of `--format json`: the verdict as one JSON object at the end. */
export function createJsonReporter(stream: NodeJS.WritableStream): Reporter {
  return {
    on(event) {
      if (event.type === 'loop_finished') stream.write(`${printableJson(event.verdict)}\n`);
    },
  };
}
