import { join } from 'node:path';
import { removeFromTree, writeInTree } from '../platform/files/write-in-tree.ts';
import { readTreeTextSync } from '../platform/files/read-bounded.ts';
import type { CheckRequest } from '../ports/evaluation.ts';

/** The changed sources of a tree, which can be exchanged for those of the base. */
export interface ChangedSources {
  /** For the tree, or a copy of it, in which the sources are those of the base for a moment. */
  readonly request: CheckRequest;
  /** Changed files of the tree that are not tests and that the user does not allow to be changed. */
  readonly sources: readonly string[];
  /** Further sources that may not decide how modules are loaded. */
  readonly doubted?: readonly string[] | undefined;
  /** Text of a changed file in the base; undefined if the base does not have it, or the file is as in the base. */
  readonly baseText: (path: string) => Promise<string | undefined>;
  /** Runs that read the changed sources: they end before the sources are exchanged. */
  readonly readers?: Promise<unknown> | undefined;
}

/** Runs with the sources of the base in place of the changed ones, which are put back. */
export async function withBase<Result>(
  { request, sources, baseText, readers }: ChangedSources,
  run: () => Promise<Result>,
): Promise<Result> {
  await readers;
  const kept = new Map(sources.map((path) => [path, readIfThere(join(request.root, path))]));
  try {
    for (const path of sources) put(request.root, path, await baseText(path));
    return await run();
  } finally {
    for (const [path, text] of kept) put(request.root, path, text);
  }
}

function put(root: string, path: string, text: string | undefined): void {
  if (text === undefined) removeFromTree(root, path);
  else writeInTree(root, path, text);
}

function readIfThere(path: string): string | undefined {
  try {
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}
