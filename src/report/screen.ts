import { asciiOnly, isUtf8Locale } from './ascii.ts';

/** One line of the output: `head` followed by `text`. */
export interface Line {
  /** The label with its trailing spaces; continuation rows are indented by its width. */
  readonly head: string;
  readonly text: string;
  /** How the line is shortened in a terminal that is too narrow; elsewhere it is printed in full. */
  readonly fit?: Fit;
  /** Maximum number of rows that the line is wrapped into. */
  readonly rows?: number;
  /** Explanation of `text`, a command to copy: printed after it, or above it if the terminal is too narrow. */
  readonly note?: string;
}

/** How a line is shortened. */
export type Fit =
  /** Wrapped between words; the default. */
  | 'wrap'
  /** The beginning, then `…`. */
  | 'cut'
  /** `…`, then the end. */
  | 'tail';

/** The output of a run. */
export interface Screen {
  print(line: Line): void;
  /** Leaves the terminal to another program while `use` runs. */
  release<T>(use: () => Promise<T>): Promise<T>;
  /** Removes everything but the printed lines. */
  close(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Creates a screen that only prints lines: for pipes, files, CI and terminals without redrawing. */
export function createPlainScreen(stream: NodeJS.WriteStream, env: Env = process.env): Screen {
  const show = stream.isTTY && !isUtf8Locale(env) ? asciiOnly : (line: string): string => line;
  return {
    print: ({ head, text, note }) =>
      void stream.write(`${show(`${head}${text}${note === undefined ? '' : `  ${note}`}`.trimEnd())}\n`),
    release: (use) => use(),
    close: () => {},
  };
}

/**
 * True for a terminal on which lines can be redrawn in place. False with `CI`, `NO_COLOR` or `TERM=dumb`, and if
 * `colours` is false because the user turned colours off.
 */
export function canRedraw(
  stream: Pick<NodeJS.WriteStream, 'isTTY'>,
  colours: boolean,
  env: Env = process.env,
): boolean {
  const isCi = !['', 'false', '0'].includes(env['CI'] ?? '');
  return stream.isTTY && colours && !isCi && (env['TERM'] ?? 'dumb') !== 'dumb';
}
