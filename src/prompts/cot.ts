import type { AttemptContext } from '../ports.ts';
import { attemptPrompt, type AttemptPrompt } from './attempt.ts';
import { fenceFor } from './fence.ts';

/** Variables of `cot.hbs`. */
export interface CotPrompt extends AttemptPrompt {
  readonly files: readonly {
    readonly path: string;
    readonly text: string;
    /** Description of the part that is not shown; empty if all is shown. */
    readonly cut: string;
    readonly fence: string;
  }[];
  /** Paths, one per line. */
  readonly listing: string;
}

/** A file of the prompt. */
export interface ShownFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  /** Description of the part that is not shown; empty if all is shown. */
  readonly cut: string;
}

/** Variables of the one call of the chain-of-thought actor. `listing`: paths, one per line. */
export function cotPrompt(context: AttemptContext, files: readonly ShownFile[], listing: string): CotPrompt {
  return {
    ...attemptPrompt(context),
    files: files.map((file) => ({ ...file, text: file.text.trimEnd(), fence: fenceFor(file.text) })),
    listing,
  };
}
