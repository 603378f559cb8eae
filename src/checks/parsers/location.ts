import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TreePaths } from '../run/tree-paths.ts';
import { isInstalled } from './stack.ts';

/** A place in a file of the tree; line and column 1-based. */
export interface Location {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const PATH = String.raw`((?:file:\/\/)?[\w@~+./\\[\]$-]*[\w\]$-]\.\w{1,5})`;

/** How parsers name the place of an error in running text: babel, esbuild, oxc, Node, and most others. */
const PLACES = [
  new RegExp(String.raw`${PATH}:(\d+):(\d+)`),
  new RegExp(String.raw`${PATH}: [^\n]*\((\d+):(\d+)\)`),
  new RegExp(String.raw`${PATH}\((\d+),(\d+)\)`),
  new RegExp(String.raw`^${PATH}:(\d+)$`, 'm'),
  new RegExp(String.raw`${PATH}:(\d+)\b`),
  new RegExp(String.raw`(?<![\w.])((?:file:\/\/)?\/[\w@~+./\[\]$-]*\.\w{1,5})`),
];

/** The first place in a message that is a file of the tree; undefined where none is named. */
export function findLocation(text: string, paths: TreePaths): Location | undefined {
  for (const pattern of PLACES) {
    for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const file = paths.relative(match[1]!);
      if (file === undefined || isInstalled(file) || !existsSync(join(paths.root, file))) continue;
      return { file, line: positive(match[2]), column: positive(match[3]) };
    }
  }
  return undefined;
}

function positive(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Math.max(1, Number(digits));
}
