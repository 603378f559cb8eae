import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TreePaths } from './tree-paths.ts';
import { isInstalled } from './stack.ts';

/** A position in a file of the tree; line and column are 1-based. */
export interface Location {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const PATH = String.raw`((?:file:\/\/)?[\w@~+./\\[\]$-]*[\w\]$-]\.\w{1,5})`;

/** Forms in which babel, esbuild, oxc, Node and most others print the position of an error. */
const POSITIONS = [
  new RegExp(String.raw`${PATH}:(\d+):(\d+)`),
  new RegExp(String.raw`${PATH}: [^\n]*\((\d+):(\d+)\)`),
  new RegExp(String.raw`${PATH}\((\d+),(\d+)\)`),
  new RegExp(String.raw`^${PATH}:(\d+)$`, 'm'),
  new RegExp(String.raw`${PATH}:(\d+)\b`),
  new RegExp(String.raw`(?<![\w.])((?:file:\/\/)?\/[\w@~+./\[\]$-]*\.\w{1,5})`),
];

/** The first position in a text whose file is in the tree; undefined where there is none. */
export function findLocation(text: string, paths: TreePaths): Location | undefined {
  for (const pattern of POSITIONS) {
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
