import type { Diagnostic } from '../../schema/generated.ts';
import { isProductFile } from './product-file.ts';

/** What a gate needs of a failure. */
export type SeenFailure = Pick<Diagnostic, 'file' | 'expected' | 'received' | 'message'>;

/** The tree that advice is looked up in. */
export interface AdviceTree {
  /** The lines of a file of the product that may be changed; undefined for any other file. */
  linesOf(file: string): readonly string[] | undefined;
  /** The same lines and those that the attempt removed, which the next tree may have again. */
  codeOf(file: string): readonly string[];
  /** Files of the product in which a name without a file is looked up. */
  readonly files: readonly string[];
  /** The file that a text names by its path or its end; the name itself for another. */
  fileOf(name: string): string;
  /** Text of the failing tests' files and the values that they expect. */
  readonly judged: string;
  /** Names that a type checker or linter uses in its errors. */
  readonly reported: string;
}

export interface TreeSource {
  linesOf(file: string): readonly string[] | undefined;
  /** Files that the record of the attempt names. */
  readonly files: readonly string[];
  readonly failures: readonly SeenFailure[];
  readonly removedFrom?: (file: string) => readonly string[];
  readonly isProtected?: (file: string) => boolean;
}

/** The tree of an attempt: files that exist, are code, and do not judge. */
export function adviceTree({ linesOf, files, failures, removedFrom, isProtected }: TreeSource): AdviceTree {
  const isAllowed = (file: string): boolean => isProductFile(file) && isProtected?.(file) !== true;
  const product = [...new Set(files)].filter((file) => isAllowed(file) && linesOf(file) !== undefined);
  const judging = [...new Set(failures.flatMap(({ file }) => file ?? []))].filter((file) => !isAllowed(file));
  return {
    linesOf: (file) => (isAllowed(file) ? linesOf(file) : undefined),
    codeOf: (file) => (isAllowed(file) ? [...(linesOf(file) ?? []), ...(removedFrom?.(file) ?? [])] : []),
    files: product,
    fileOf: (name) => product.find((file) => file === name || file.endsWith(`/${name}`)) ?? name,
    judged: [
      ...judging.flatMap((file) => linesOf(file) ?? []),
      ...failures.flatMap(({ expected }) => expected ?? []),
    ].join('\n'),
    reported: failures
      .filter(({ file, expected }) => file !== undefined && isAllowed(file) && expected === undefined)
      .map(({ message }) => message)
      .join('\n'),
  };
}
