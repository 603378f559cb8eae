/** Variables of `self-tests.hbs`. */
export interface SelfTestsPrompt {
  readonly task: string;
  /** Tests at most. */
  readonly most: number;
  /** For example `vitest`. */
  readonly runner: string;
  /** Path of the file that the tests will be in. */
  readonly file: string;
  /** One of the repository's own test files; empty where there is none. */
  readonly example: string;
  readonly examplePath: string;
  readonly fence: string;
  /** Paths, one a line. */
  readonly listing: string;
}

/** Variables of `self-tests-failed.hbs`. */
export interface SelfTestsFailedPrompt {
  readonly written: number;
  readonly failed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}
