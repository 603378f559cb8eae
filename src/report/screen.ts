import { asciiOnly, isUtf8Locale } from './ascii.ts';

/** One line of the record; `head` and `text` stand in it one after the other. */
export interface Line {
  /** The label, with the spaces behind it; what goes on below stands under `text`. */
  readonly head: string;
  readonly text: string;
  /** What becomes of it in a terminal that is too narrow; elsewhere it stays as it is. */
  readonly fit?: Fit;
  /** Most rows that it may be broken into. */
  readonly rows?: number;
  /** What `text`, a command to be copied, does: behind it, or above it where there is no room. */
  readonly note?: string;
}

export type Fit =
  /** Broken between words; the default. */
  | 'wrap'
  /** Its beginning, and `…`. */
  | 'cut'
  /** `…`, and its end. */
  | 'tail';

/** Where the record of a run is written. */
export interface Screen {
  print(line: Line): void;
  /** Leaves nothing behind but the record. */
  close(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Lines as they are: for pipes, files, CI, and terminals that can do no more or are asked for no more. */
export function createPlainScreen(stream: NodeJS.WriteStream, env: Env = process.env): Screen {
  const show = stream.isTTY && !isUtf8Locale(env) ? asciiOnly : (line: string): string => line;
  return {
    print: ({ head, text, note }) =>
      void stream.write(`${show(`${head}${text}${note === undefined ? '' : `  ${note}`}`.trimEnd())}\n`),
    close: () => {},
  };
}

/**
 * True for a terminal on which lines can be redrawn in place. `CI`, `NO_COLOR` and `TERM=dumb` ask for plain lines;
 * `colours` is false where the user wants none.
 */
export function canRedraw(
  stream: Pick<NodeJS.WriteStream, 'isTTY'>,
  colours: boolean,
  env: Env = process.env,
): boolean {
  const isCi = !['', 'false', '0'].includes(env['CI'] ?? '');
  return stream.isTTY && colours && !isCi && (env['TERM'] ?? 'dumb') !== 'dumb';
}
