/** One error of the type checker, in a file of the project. */
export interface TypeProblem {
  /** Absolute path. */
  readonly path: string;
  /** UTF-16 offset in the text that the project holds now. */
  readonly start: number;
  readonly length: number;
  /** The number behind `TS`. */
  readonly code: number;
  readonly message: string;
}

/** Texts that a fix gives files, by absolute path. */
export type FixedTexts = ReadonlyMap<string, string>;

export interface QuickFix {
  readonly description: string;
  readonly texts: FixedTexts;
}

/** One TypeScript project held in memory: its files can be changed and judged without touching the disk. */
export interface TypeProject {
  /** Absolute paths of the project's own files. */
  readonly files: readonly string[];
  textOf(path: string): string;
  /** Puts a text in place of the file's until it is changed again. */
  setText(path: string, text: string): void;
  /** Errors of one file, in order. */
  errorsOf(path: string): Promise<readonly TypeProblem[]>;
  /**
   * TypeScript's own fixes for one error that mend code, the most certain kind first. Fixes that silence the
   * checker, make files or touch files that may not be changed are left out.
   */
  quickFixesFor(problem: TypeProblem, mayChange: (path: string) => boolean): Promise<readonly QuickFix[]>;
}

/** Number of errors in each of the project's files. */
export async function countErrors(project: TypeProject): Promise<Map<string, number>> {
  const counts = project.files.map(async (path) => [path, (await project.errorsOf(path)).length] as const);
  return new Map(await Promise.all(counts));
}
