/** One error of the type checker, in a file of the project. */
export interface TypeProblem {
  /** Absolute path. */
  readonly path: string;
  /** UTF-16 offset in the project's current text of the file. */
  readonly start: number;
  readonly length: number;
  /** The error number, 2304 for `TS2304`. */
  readonly code: number;
  readonly message: string;
  /** Places that the checker names beside the error, such as the declaration of the type that it expected. */
  readonly related: readonly TypePlace[];
}

/** A place in a file. */
export interface TypePlace {
  /** Absolute path. */
  readonly path: string;
  /** UTF-16 offset. */
  readonly start: number;
}

/** Texts of files after a fix, by absolute path. */
export type FixedTexts = ReadonlyMap<string, string>;

/** A fix that the compiler offers for an error. */
export interface QuickFix {
  readonly description: string;
  readonly texts: FixedTexts;
}

/** A TypeScript project in memory: files are changed and checked without changes on disk. */
export interface TypeProject {
  /** Absolute paths of the project's own files. */
  readonly files: readonly string[];
  textOf(path: string): string;
  /** Replaces the text of a file in memory. */
  setText(path: string, text: string): void;
  /** Errors of one file, in order. */
  errorsOf(path: string): Promise<readonly TypeProblem[]>;
  /**
   * TypeScript's own fixes for one error, the most certain kind first. Fixes that silence the checker, create files or
   * change files for which `mayChange` is false are left out.
   */
  quickFixesFor(problem: TypeProblem, mayChange: (path: string) => boolean): Promise<readonly QuickFix[]>;
  /** The declarations of the name at an offset of a file. */
  definitionsAt(place: TypePlace): Promise<readonly TypePlace[]>;
}

/** Number of errors in each of the project's files, by path. */
export async function countErrors(project: TypeProject): Promise<Map<string, number>> {
  const counts = project.files.map(async (path) => [path, (await project.errorsOf(path)).length] as const);
  return new Map(await Promise.all(counts));
}
