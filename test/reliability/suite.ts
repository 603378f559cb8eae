/** One claim that was tried: how often, and how often it held. */
export interface Row {
  /** What is claimed, in a few words: `kill -9 at every failpoint: no reflection lost`. */
  readonly what: string;
  readonly tried: number;
  readonly held: number;
  /** What did not hold, or is known not to: one line each. */
  readonly gaps: readonly string[];
}

export interface SuiteOptions {
  /** All counts; reduced ones otherwise, for every day. */
  readonly full: boolean;
  /** Gets a short line about what is tried now. */
  readonly onProgress: (text: string) => void;
}

/** A part of the reliability run. Never rejects for what did not hold: that is in its rows. */
export interface Suite {
  readonly name: string;
  run(options: SuiteOptions): Promise<readonly Row[]>;
}
