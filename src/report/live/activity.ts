import type { RunEvent } from '../../events.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderAction } from '../action-line.ts';

/** Maximum characters of a line; only its end is kept. */
const MAX_CHARS = 2000;

/** The current activity of the actor or another part as one line; empty if unknown. */
export class Activity {
  text = '';
  /** True for streamed text, of which the end is shown instead of the beginning. */
  streams = false;
  #pending = '';

  on(event: RunEvent): void {
    switch (event.type) {
      case 'progress':
        return this.#show(event.text);
      case 'action':
        return this.#show(renderAction(event.action));
      case 'model_text':
        return this.#stream(event.text);
      case 'model_retry':
        return this.#show(`retrying in ${renderDuration(event.delayMs)}: ${event.reason}`);
      case 'model_fallback':
        return this.#show(`falling back to ${event.to}`);
      case 'model_called':
        this.#pending = '';
        return undefined;
      case 'attempt_started':
      case 'baseline_started':
      case 'evaluation_started':
      case 'attempt_evaluated':
      case 'reflection_written':
        return this.#show('');
      default:
        return undefined;
    }
  }

  #show(text: string): void {
    this.text = text.split('\n', 1)[0]!.slice(0, MAX_CHARS);
    this.streams = false;
    this.#pending = '';
  }

  #stream(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.at(-1)!.slice(-MAX_CHARS);
    const last = lines.findLast((line) => line.trim() !== '');
    if (last === undefined) return;
    this.text = last.slice(-MAX_CHARS);
    this.streams = true;
  }
}
