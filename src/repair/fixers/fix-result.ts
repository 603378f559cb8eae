/** The result of a fixer. */
export interface FixResult {
  /** Changed files, relative to the root. */
  readonly changed: readonly string[];
  /** The earlier texts of the changed files, by path. */
  readonly before: ReadonlyMap<string, string>;
  readonly actions: readonly FixAction[];
  /** Number of errors that the fixer removed. */
  readonly errorsFixed: number;
  /** Why nothing more was fixed; one sentence. */
  readonly reason?: string;
}

/** One action of a fixer. */
export interface FixAction {
  /** One sentence. */
  readonly description: string;
  /** Relative to the root. */
  readonly file?: string;
  /** Command line, if a program ran. */
  readonly command?: string;
}

/** The result of a fixer that changed nothing; `reason` is one sentence. */
export function nothingFixed(reason: string): FixResult {
  return { changed: [], before: new Map(), actions: [], errorsFixed: 0, reason };
}
