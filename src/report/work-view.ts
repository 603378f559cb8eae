import type { ChalkInstance } from 'chalk';
import type { WorkEvent } from '../events.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { printable } from '../platform/text/printable.ts';
import { renderAction } from './action-line.ts';

/** Options of `WorkView`. */
export interface WorkViewOptions {
  readonly chalk: ChalkInstance;
  /** True: prints model text and actions. False: prints only retries and fallbacks. */
  readonly verbose: boolean;
  readonly print: (text: string) => void;
}

const MAX_LINE_CHARS = 300;
/** Maximum characters of an unfinished line; only its end is kept. */
const MAX_PENDING_CHARS = 20_000;

/** Prints text and actions of an actor or reflector as lines while it works. */
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
            `call ${event.attempt} failed, retrying in ${renderDuration(event.delayMs)}: ${line(event.reason)}`,
          ),
        );
      case 'model_fallback':
        return print(
          chalk.yellow(`${event.from} failed, falling back to ${event.to}: ${line(event.reason)}`),
        );
    }
  }

  /** Prints the last line if it has no end yet. */
  flush(): void {
    this.#line(this.#pending);
    this.#pending = '';
  }

  #text(text: string): void {
    if (!this.#options.verbose) return;
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop()!.slice(-MAX_PENDING_CHARS);
    for (const complete of lines) this.#line(complete);
  }

  #line(text: string, paint = (shown: string): string => shown): void {
    if (this.#options.verbose && text.trim() !== '') this.#options.print(paint(line(text)));
  }
}

function line(text: string): string {
  return printable(text.split('\n', 1)[0]!).slice(0, MAX_LINE_CHARS);
}
