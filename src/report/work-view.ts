import type { ChalkInstance } from 'chalk';
import type { WorkEvent } from '../events.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { printable } from '../platform/text/printable.ts';
import { renderAction } from './action-line.ts';

export interface WorkViewOptions {
  readonly chalk: ChalkInstance;
  /** Every line of the model's and every action, and not only what keeps it from working. */
  readonly verbose: boolean;
  readonly print: (text: string) => void;
}

const MAX_LINE = 300;
/** A model that never breaks its lines is shown by their ends. */
const MAX_PENDING = 20_000;

/** What an actor or reflector says and does while it works, as lines. */
export class WorkView {
  readonly #options: WorkViewOptions;
  #pending = '';

  constructor(options: WorkViewOptions) {
    this.#options = options;
  }

  on(event: Exclude<WorkEvent, { type: 'warning' }>): void {
    const { chalk, print } = this.#options;
    switch (event.type) {
      case 'model_text':
        return this.#text(event.text);
      case 'model_called':
        return this.flush();
      case 'action':
        this.flush();
        return this.#line(renderAction(event.action), chalk.dim);
      case 'model_retry':
        return print(
          chalk.yellow(
            `try ${event.attempt} failed, again in ${renderDuration(event.delayMs)}: ${line(event.reason)}`,
          ),
        );
      case 'model_fallback':
        return print(chalk.yellow(`${event.from} cannot answer, asking ${event.to}: ${line(event.reason)}`));
    }
  }

  /** Prints what stands without a line's end. */
  flush(): void {
    this.#line(this.#pending);
    this.#pending = '';
  }

  #text(text: string): void {
    if (!this.#options.verbose) return;
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop()!.slice(-MAX_PENDING);
    for (const complete of lines) this.#line(complete);
  }

  #line(text: string, paint = (shown: string): string => shown): void {
    if (this.#options.verbose && text.trim() !== '') this.#options.print(paint(line(text)));
  }
}

function line(text: string): string {
  return printable(text.split('\n', 1)[0]!).slice(0, MAX_LINE);
}
