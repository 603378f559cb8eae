import cliCursor from 'cli-cursor';
import { createLogUpdate } from 'log-update';
import { asciiOnly, isUtf8Locale } from '../ascii.ts';
import type { Line, Screen } from '../screen.ts';
import { cut, fitLine, widthOf } from './fit.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface LiveScreenOptions {
  /** A terminal. */
  readonly stream: NodeJS.WriteStream;
  /** The block below the record as it is now: lines narrower than `columns`, fewer than `rows`. */
  readonly block: (size: Size) => readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const TICK_MS = 100;
/** While a window is dragged, multiplexers tell the new size later than they lay the text out for it: 250 ms in tmux. */
const SETTLE_MS = 300;
/** Terminals that show all between the two at once do not flicker; others ignore them. */
const [AT_ONCE, SHOWN] = ['\u001B[?2026h', '\u001B[?2026l'];
const ERASE_LINE = '\u001B[2K';
const ERASE_LINE_AND_UP = `${ERASE_LINE}\u001B[1A`;

/**
 * A terminal with a block at the bottom that is redrawn in place while the record scrolls above it. The cursor is
 * hidden until it is closed, and comes back when the process ends by an error or a signal.
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
    // What is wider than a terminal that became narrower goes on in the next row, but in these.
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
    this.#learnSize();
    const { columns } = this.#size();
    this.#log.clear();
    this.#out += `${this.#show(fitLine(line, columns))}\n`;
    this.#draw();
    this.#flush();
  }

  #refresh(): void {
    this.#learnSize();
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

  /** Node hears of a new size only between two tasks; what is drawn before would be laid out for the old one. */
  #learnSize(): void {
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

  /** What was drawn may lie in more rows than before: all of them are erased before it is drawn anew. */
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
    // A terminal that does not know its size says 0.
    return { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
  }

  /** Writes into what is flushed at once. */
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
    this.#stream.write(`${AT_ONCE}${this.#out}${SHOWN}`);
    this.#out = '';
  }
}
