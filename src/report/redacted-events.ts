import type { RunEvent } from '../events.ts';
import { ChunkRedactor } from '../platform/redaction/chunk-redactor.ts';
import { redactValue } from '../platform/redaction/redact.ts';

type ModelText = Extract<RunEvent, { type: 'model_text' }>;

/**
 * Hands events on without secrets. What a model says comes in pieces, and a secret may lie across two of them: its
 * last word is held back until the next piece, or the next event of another kind, shows what it is.
 */
export function redactedEvents(emit: (event: RunEvent) => void): (event: RunEvent) => void {
  let said = new ChunkRedactor();
  let last: ModelText | undefined;
  const tell = (event: ModelText, text: string): void => {
    if (text !== '') emit({ ...event, text });
  };
  const finish = (): void => {
    if (last !== undefined) tell(last, said.flush());
    last = undefined;
    said = new ChunkRedactor();
  };
  return (event) => {
    if (event.type !== 'model_text') {
      finish();
      return emit(redactValue(event));
    }
    if (last !== undefined && last.model !== event.model) finish();
    last = event;
    return tell(event, said.push(event.text));
  };
}
