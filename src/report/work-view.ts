import type { ChalkInstance } from 'chalk';
import type { WorkEvent } from '../events.ts';
import { renderDuration } from '../util/duration.ts';
import { printable } from '../util/printable.ts';

export interface WorkViewOptions {
  readonly chalk: ChalkInstance;
  /** Every line of the model's and every action, and not only what is happening now. */
  readonly verbose: boolean;
  readonly print: (text: string) => void;
  readonly now: (text: string) => void;
}

const MAX_LINE = 300;
/** A model that never breaks its lines is shown by their ends. */
const MAX_PENDING = 20_000;

/** What an actor or reflector says and does while it works. */
export class WorkView {
  readonly #options: WorkViewOptions;
  #pending = '';

  constructor(options: WorkViewOptions) {
    this.#options = options;
  }

  on(event: Exclude<WorkEvent, { type: 'warning' }>): void {
    const { chalk, now, print, verbose } = this.#options;
    switch (event.type) {
      case 'model_text':
        return this.#text(event.text);
      case 'model_called':
        return this.flush();
      case 'action':
        this.flush();
        return verbose ? print(chalk.dim(line(event.action.description))) : now(event.action.description);
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

  /** Shows what stands without a line's end. */
  flush(): void {
    if (this.#pending.trim() !== '') this.#line(this.#pending);
    this.#pending = '';
  }

  #text(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop()!.slice(-MAX_PENDING);
    for (const complete of lines) this.#line(complete);
    if (this.#pending.trim() !== '') this.#options.now(this.#pending.slice(-MAX_LINE));
  }

  #line(text: string): void {
    if (text.trim() === '') return;
    if (this.#options.verbose) this.#options.print(line(text));
    else this.#options.now(text);
  }
}

function line(text: string): string {
  return printable(text.split('\n', 1)[0]!).slice(0, MAX_LINE);
}
