/** The trials of one claim. */
export interface Row {
  /** The claim in a few words, as it is printed: `kill -9 at every failpoint: no reflection lost`. */
  readonly claim: string;
  /** Number of trials. */
  readonly tried: number;
  /** Number of trials in which the claim held. */
  readonly held: number;
  /** Failed trials and known gaps, one line each. */
  readonly gaps: readonly string[];
}

export interface SuiteOptions {
  /** True for all trials; false for a selection that takes a few minutes. */
  readonly full: boolean;
  /** Seed of what is drawn at random. */
  readonly seed: number;
  /** Receives a short line about the current trial. */
  readonly onProgress: (text: string) => void;
}

/** A part of the reliability run. A failed trial is reported in its row and does not reject. */
export interface Suite {
  readonly name: string;
  run(options: SuiteOptions): Promise<readonly Row[]>;
}
