/** Variables of `self-tests.hbs`. */
export interface SelfTestsPrompt {
  readonly task: string;
  /** Maximum number of tests. */
  readonly most: number;
  /** For example `vitest`. */
  readonly runner: string;
  /** Path of the file for the tests. */
  readonly file: string;
  /** Text of one of the repository's test files; empty if it has none. */
  readonly example: string;
  readonly examplePath: string;
  readonly fence: string;
  /** Paths, one per line. */
  readonly listing: string;
}

/** Variables of `self-tests-failed.hbs`. */
export interface SelfTestsFailedPrompt {
  readonly written: number;
  readonly failed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}
