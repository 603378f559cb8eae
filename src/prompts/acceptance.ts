/** Variables of `acceptance-agent.hbs`, for an agent that finds the files by itself. */
export interface AcceptanceAgentPrompt {
  readonly task: string;
  readonly taskFence: string;
  readonly stated: readonly string[];
  /** For example `vitest`. */
  readonly runner: string;
  readonly mostTests: number;
  readonly mostFiles: number;
  /** Folder for the test files, relative to the root. */
  readonly folder: string;
  /** End of each file's name, such as `.test.js`. */
  readonly ending: string;
  /** Ids of failing tests. */
  readonly failing: readonly string[];
  /** Mutants that the tests do not catch, one line each. */
  readonly survivors: readonly string[];
  /** Reasons for which tests were rejected. */
  readonly reasons: readonly string[];
}

/** Variables of `acceptance.hbs`. */
export interface AcceptancePrompt extends AcceptanceAgentPrompt {
  /** Public files and example tests. */
  readonly files: readonly { readonly path: string; readonly text: string; readonly fence: string }[];
  /** Paths, one per line. */
  readonly listing: string;
  readonly listingFence: string;
}
