import { renderDuration } from '../util/duration.ts';

/** Lines of text, with one line below them that says what is happening now where the stream is a terminal. */
export interface StatusLine {
  print(text: string): void;
  now(text: string): void;
  /** Clears the line and stops the clock. */
  close(): void;
}

const TICK_MS = 250;
const ERASE_LINE = '\r\u001B[2K';

/** On a terminal the current activity is one line that is rewritten in place; elsewhere only lines are written. */
export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
  return stream.isTTY === true && process.env.TERM !== 'dumb' && process.env.CI === undefined
    ? new LiveStatusLine(stream)
    : { print: (text) => void stream.write(`${text}\n`), now: () => {}, close: () => {} };
}

class LiveStatusLine implements StatusLine {
  readonly #stream: NodeJS.WriteStream;
  #text = '';
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  print(text: string): void {
    this.#stream.write(`${this.#text === '' ? '' : ERASE_LINE}${text}\n`);
    this.#text = '';
  }

  now(text: string): void {
    this.#text = text;
    this.#since = performance.now();
    this.#timer ??= setInterval(() => this.#draw(), TICK_MS).unref();
    this.#draw();
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#text !== '') this.#stream.write(ERASE_LINE);
    this.#text = '';
  }

  #draw(): void {
    if (this.#text === '') return;
    const time = renderDuration(performance.now() - this.#since);
    // A terminal that does not know its width says 0.
    const room = Math.max(10, (this.#stream.columns || 80) - time.length - 5);
    this.#stream.write(`${ERASE_LINE}… ${this.#text.slice(0, room)} ${time}`);
  }
}
