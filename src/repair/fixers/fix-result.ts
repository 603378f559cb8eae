/** What a fixer left in the tree. */
export interface FixResult {
  /** Changed files, relative to the root. */
  readonly changed: readonly string[];
  readonly actions: readonly FixAction[];
  /** Errors that the fixer saw go. */
  readonly errorsFixed: number;
  /** Why nothing, or no more, was done; one sentence. */
  readonly reason?: string;
}

/** One thing that a fixer did. */
export interface FixAction {
  /** One sentence. */
  readonly description: string;
  /** Relative to the root. */
  readonly file?: string;
  /** Command line, where a program ran. */
  readonly command?: string;
}

/** A fixer that found nothing to do, or could not. */
export function nothingFixed(reason: string): FixResult {
  return { changed: [], actions: [], errorsFixed: 0, reason };
}
