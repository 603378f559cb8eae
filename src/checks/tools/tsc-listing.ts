import { isInstalled } from '../results/stack.ts';
import type { TreePaths } from '../results/tree-paths.ts';

const MAX_CHARS = 2_000_000;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])[^\n]*\.[\w.]+$/;
const EMITTED = 'TSFILE: ';

/** Splits tsc's output as it arrives: the list of files alone may exceed the output that is kept of a process. */
export interface TscListing {
  append(text: string): void;
  /** Checked files, relative to the root; installed packages and files outside the tree are left out. */
  files(): ReadonlySet<string>;
  /** Written files, as tsc names them. */
  emitted(): readonly string[];
  /** The rest of the output: the errors. */
  text(): string;
}

/** Reads the output of `tsc --listFiles --listEmittedFiles`. */
export function createTscListing(paths: TreePaths): TscListing {
  const files = new Set<string>();
  const emitted: string[] = [];
  let text = '';
  let partial = '';
  const take = (line: string): void => {
    if (line.startsWith(EMITTED)) emitted.push(line.slice(EMITTED.length));
    else if (ABSOLUTE.test(line)) {
      const file = paths.relative(line);
      if (file !== undefined && !isInstalled(file)) files.add(file);
    } else if (text.length < MAX_CHARS) text += `${line}\n`;
  };
  const flush = (): void => {
    if (partial !== '') take(partial);
    partial = '';
  };
  return {
    append(chunk) {
      const lines = (partial + chunk).split(/\r?\n/);
      partial = lines.pop()!;
      lines.forEach(take);
    },
    files: () => (flush(), files),
    emitted: () => (flush(), emitted),
    text: () => (flush(), text),
  };
}
