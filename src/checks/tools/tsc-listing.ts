import { isInstalled } from '../parsers/stack.ts';
import type { TreePaths } from '../run/tree-paths.ts';

const MAX_CHARS = 2_000_000;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])[^\n]*\.[\w.]+$/;
const EMITTED = 'TSFILE: ';

/** Takes tsc's output apart while it comes: `--listFiles` alone may be longer than what is kept of a process. */
export interface TscListing {
  append(text: string): void;
  /** Files of the tree that were checked, installed packages left out; relative to the root. */
  files(): ReadonlySet<string>;
  /** Files that were written, as tsc names them. */
  emitted(): readonly string[];
  /** What is left: the errors. */
  text(): string;
}

/** A listing of the output of `tsc --listFiles --listEmittedFiles`. */
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
