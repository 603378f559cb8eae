import type { AttemptContext } from '../ports.ts';
import { attemptPrompt, type AttemptPrompt } from './attempt.ts';
import { fenceFor } from './fence.ts';

/** Variables of `cot.hbs`. */
export interface CotPrompt extends AttemptPrompt {
  readonly files: readonly {
    readonly path: string;
    readonly text: string;
    /** What of the file is not shown; empty for none. */
    readonly cut: string;
    readonly fence: string;
  }[];
  /** Paths, one a line. */
  readonly listing: string;
}

/** A file as it is shown: relative path, text, and what was left out of it. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
  readonly cut: string;
}

export function cotPrompt(context: AttemptContext, files: readonly ShownFile[], listing: string): CotPrompt {
  return {
    ...attemptPrompt(context),
    files: files.map((file) => ({ ...file, text: file.text.trimEnd(), fence: fenceFor(file.text) })),
    listing,
  };
}
