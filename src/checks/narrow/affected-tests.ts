import { extname } from 'node:path';
import { createImportGraph, SOURCE_EXTENSIONS } from '../../platform/modules/import-graph.ts';

/** A change, and the test files that may notice it. Paths are relative to the root. */
export interface AffectedRequest {
  /** Absolute path of the tree with the change. */
  readonly root: string;
  readonly changed: readonly string[];
  readonly testFiles: readonly string[];
  /** Files that every test loads, such as set-up files and the configuration. */
  readonly shared: readonly string[];
  /** Type imports count, and tests that reach `node:fs` are affected, since files may be read without an import. */
  readonly isStrict: boolean;
}

/** A file that starts programs, or loads what cannot be read from its text, may depend on any file. */
const UNKNOWN_IMPORTS =
  /\bchild_process\b|\bworker_threads\b|['"](execa|tinyexec|cross-spawn|esbuild|rollup|vite|webpack)['"]|\b(import|require)\s*\(\s*[^\s'")]|\bimport\.meta\.glob\b/;

const READS = /['"](node:)?fs(\/promises)?['"]|\bfs-extra\b|['"](glob|globby|fast-glob|tinyglobby)['"]/;

/**
 * The test files that reach a changed file by their imports, or whose imports cannot be followed. Undefined if every test
 * may be affected: where a changed file is not code, is imported by no test, or is reached by a file that every test loads.
 */
export function findAffectedTests({
  root,
  changed,
  testFiles,
  shared,
  isStrict,
}: AffectedRequest): string[] | undefined {
  if (!changed.every(isCode)) return undefined;
  const graph = createImportGraph(root, { withTypes: isStrict });
  const isChanged = ({ file }: { readonly file: string }): boolean => changed.includes(file);
  if (shared.some((file) => graph.reachedFrom(file).some(isChanged))) return undefined;
  const open = new Map<string, boolean>();
  const isOpen = (file: string): boolean => {
    const text = graph.textOf(file);
    const found = open.get(file) ?? (UNKNOWN_IMPORTS.test(text) || (isStrict && READS.test(text)));
    open.set(file, found);
    return found;
  };
  const unseen = new Set(changed);
  const affected = testFiles.filter((test) => {
    const reached = graph.reachedFrom(test).map(({ file }) => file);
    const hits = reached.filter((file) => changed.includes(file));
    for (const file of hits) unseen.delete(file);
    return hits.length > 0 || reached.some(isOpen);
  });
  return unseen.size > 0 ? undefined : affected;
}

function isCode(file: string): boolean {
  return (SOURCE_EXTENSIONS as readonly string[]).includes(extname(file)) && !/\.d\.[cm]?ts$/.test(file);
}
