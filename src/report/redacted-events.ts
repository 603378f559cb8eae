import type { RunEvent } from '../events.ts';
import { ChunkRedactor } from '../platform/redaction/chunk-redactor.ts';
import { redactValue } from '../platform/redaction/redact.ts';

type ModelText = Extract<RunEvent, { type: 'model_text' }>;

/**
 * Wraps `emit` so that events are redacted. Text of a model arrives in chunks, and a secret may span two of them: the
 * last word is held back until the next chunk, or the next event of another type.
 */
export function redactedEvents(emit: (event: RunEvent) => void): (event: RunEvent) => void {
  let redactor = new ChunkRedactor();
  let last: ModelText | undefined;
  const send = (event: ModelText, text: string): void => {
    if (text !== '') emit({ ...event, text });
  };
  const finish = (): void => {
    if (last !== undefined) send(last, redactor.flush());
    last = undefined;
    redactor = new ChunkRedactor();
  };
  return (event) => {
    if (event.type !== 'model_text') {
      finish();
      return emit(redactValue(event));
    }
    if (last !== undefined && last.model !== event.model) finish();
    last = event;
    return send(event, redactor.push(event.text));
  };
}
