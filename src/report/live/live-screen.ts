import cliCursor from 'cli-cursor';
import { createLogUpdate } from 'log-update';
import { asciiOnly, isUtf8Locale } from '../ascii.ts';
import type { Line, Screen } from '../screen.ts';
import { cut, fitLine, widthOf } from './fit.ts';

/** Size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Options of `createLiveScreen`. */
export interface LiveScreenOptions {
  /** A terminal. */
  readonly stream: NodeJS.WriteStream;
  /** Renders the block below the printed lines: lines narrower than `columns`, fewer than `rows`. */
  readonly block: (size: Size) => readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const TICK_MS = 100;
/** Delay after a resize: multiplexers report the new size later than they reflow the text, in tmux 250 ms. */
const SETTLE_MS = 300;
/** Synchronized update: supporting terminals show the text between the two codes without flicker, others ignore them. */
const [BEGIN_SYNC, END_SYNC] = ['\u001B[?2026h', '\u001B[?2026l'];
const ERASE_LINE = '\u001B[2K';
const ERASE_LINE_AND_UP = `${ERASE_LINE}\u001B[1A`;

/**
 * Creates a screen with a block at the bottom that is redrawn in place while printed lines scroll above it. The cursor
 * is hidden until `close`, and restored when the process ends by an error or a signal.
 */
export function createLiveScreen(options: LiveScreenOptions): Screen {
  const screen = new BlockScreen(options);
  screen.open();
  return screen;
}

class BlockScreen implements Screen {
  readonly #stream: NodeJS.WriteStream;
  readonly #block: LiveScreenOptions['block'];
  readonly #show: (text: string) => string;
  readonly #reflows: boolean;
  #out = '';
  #drawn: readonly string[] = [];
  #log: ReturnType<typeof createLogUpdate>;
  #timer: NodeJS.Timeout | undefined;
  #settledMs = 0;

  constructor({ stream, block, env = process.env }: LiveScreenOptions) {
    this.#stream = stream;
    this.#block = block;
    this.#show = isUtf8Locale(env) ? (text) => text : asciiOnly;
    // Terminals reflow long lines when they become narrower, except for xterm and screen.
    this.#reflows = env['XTERM_VERSION'] === undefined && env['STY'] === undefined;
    this.#log = this.#newLog();
  }

  open(): void {
    cliCursor.hide(this.#stream);
    this.#stream.on('resize', this.#resized);
    process.on('SIGTSTP', this.#suspended);
    process.on('SIGCONT', this.#continued);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  print(line: Line): void {
    this.#refreshSize();
    const { columns } = this.#size();
    this.#log.clear();
    this.#out += `${this.#show(fitLine(line, columns))}\n`;
    this.#draw();
    this.#flush();
  }

  async release<T>(use: () => Promise<T>): Promise<T> {
    this.close();
    try {
      return await use();
    } finally {
      this.open();
    }
  }

  #refresh(): void {
    this.#refreshSize();
    this.#draw();
    this.#flush();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stream.off('resize', this.#resized);
    process.off('SIGTSTP', this.#suspended);
    process.off('SIGCONT', this.#continued);
    this.#log.clear();
    this.#flush();
    cliCursor.show(this.#stream);
  }

  /** Node updates the size only between two tasks; text drawn before that would be laid out for the old size. */
  #refreshSize(): void {
    const stream: NodeJS.WriteStream & { _refreshSize?: () => void } = this.#stream;
    stream._refreshSize?.();
  }

  #draw(): void {
    const { columns, rows } = this.#size();
    const lines = this.#block({ columns, rows }).map((line) => this.#show(cut(line, columns - 1)));
    if (lines.length === 0) this.#log.clear();
    else this.#log(lines.join('\n'));
    this.#drawn = lines;
  }

  #tick(): void {
    if (performance.now() >= this.#settledMs) this.#refresh();
  }

  /** After a resize the block may occupy more rows: all of them are erased before it is redrawn. */
  readonly #resized = (): void => {
    const { columns } = this.#size();
    const rowsOf = (line: string): number => Math.max(1, Math.ceil(widthOf(line) / columns));
    const drawn = this.#drawn.reduce((sum, line) => sum + (this.#reflows ? rowsOf(line) : 1), 0);
    this.#out += `${ERASE_LINE_AND_UP.repeat(drawn)}${ERASE_LINE}\u001B[G`;
    this.#log = this.#newLog();
    this.#settledMs = performance.now() + SETTLE_MS;
    this.#draw();
    this.#flush();
  };

  readonly #suspended = (): void => {
    this.#log.clear();
    this.#flush();
    cliCursor.show(this.#stream);
    process.kill(process.pid, 'SIGSTOP');
  };

  readonly #continued = (): void => {
    cliCursor.hide(this.#stream);
    this.#refresh();
  };

  #size(): Size {
    // Terminals of unknown size report 0.
    return { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
  }

  /** A log-update instance that writes into the buffer of `#flush`. */
  #newLog(): ReturnType<typeof createLogUpdate> {
    const size = (): Size => this.#size();
    const sink = {
      write: (text: string): boolean => ((this.#out += text), true),
      get columns() {
        return size().columns;
      },
      get rows() {
        return size().rows;
      },
    };
    return createLogUpdate(sink as unknown as NodeJS.WritableStream, { showCursor: true });
  }

  #flush(): void {
    if (this.#out === '') return;
    this.#stream.write(`${BEGIN_SYNC}${this.#out}${END_SYNC}`);
    this.#out = '';
  }
}
