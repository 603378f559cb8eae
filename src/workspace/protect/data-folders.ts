import { posix } from 'node:path';
import type { TreeFile } from '../snapshots/snapshots.ts';
import { PROGRAM } from './judging-paths.ts';

/** A folder from which a program takes files: `golden/*.json`, `"golden/$1.txt"`, `golden/${name}`, `'golden/'`. */
const PREFIX = /(?:^|[\s"'`=(,[])((?:\.\/)?(?:[\w@.-]+\/)+)(?=[*$"'`{\s)]|[\w.-]+\$|[\w.-]*[*{])/gm;
/** A folder whose names a program reads: `readdirSync('golden')`, `os.listdir('golden')`. */
const LISTED =
  /\b(?:readdir|opendir|glob|scandir|listdir|iglob|walk|Path|Dir\.(?:glob|entries|children))(?:Sync)?\(\s*[rf]?["'`](?:\.\/)?([\w@./-]+)/g;
const DOCUMENT = /\.(md|markdown|rst|adoc)$/i;

/** Data in the folders from which a program takes files by a pattern or by names that it makes; no code and no documents. */
export function dataOfFolders(
  text: string,
  from: string,
  files: ReadonlyMap<string, TreeFile>,
): readonly string[] {
  const named = [...text.matchAll(PREFIX), ...text.matchAll(LISTED)].map(([, folder]) => folder!);
  const folders = new Set(
    named.flatMap((folder) =>
      ['.', posix.dirname(from)].map((start) => posix.join(start, folder).replace(/\/$/, '')),
    ),
  );
  folders.delete('.');
  return [...files.keys()].filter(
    (path) => folders.has(posix.dirname(path)) && !PROGRAM.test(path) && !DOCUMENT.test(path),
  );
}

/** True if one of these texts names the folder of a file: then the file belongs to the product. */
export function isNamedIn(path: string, texts: readonly string[]): boolean {
  const folder = posix.basename(posix.dirname(path));
  return texts.some((text) => text.includes(`${folder}/`) || new RegExp(`["'\`]${folder}["'\`]`).test(text));
}
