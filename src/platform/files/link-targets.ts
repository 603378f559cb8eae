import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;
/** `..` after a name: of a name that is a link, the text does not say where it leads. */
const UP_AFTER_NAME = /[^./][^/]*\/\.\.(\/|$)/;

/**
 * Real paths of what the symbolic links in the folders lead to; links that lead nowhere are left out, and a link to another
 * entry of its own folder, which is found by itself. The folders of hundreds of links are few, so each is looked up once.
 */
export function linkTargets(folders: readonly string[]): string[] {
  const known = new Map<string, string | undefined>();
  const realFolder = (folder: string): string | undefined => {
    if (!known.has(folder)) known.set(folder, realPathOf(folder));
    return known.get(folder);
  };
  const real = new Set(folders.map(realFolder).filter((folder) => folder !== undefined));
  return [...real].flatMap((folder) =>
    linksIn(folder).flatMap((link) => {
      try {
        return targetOf(link, realFolder);
      } catch {
        // It was removed meanwhile.
        return [];
      }
    }),
  );
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** `link`: a link in a folder without links in its path. Empty for one that leads nowhere, or to its own folder. */
function targetOf(link: string, realFolder: (folder: string) => string | undefined): string[] {
  let at = link;
  for (let links = 0; links < MOST_LINKS; links++) {
    const text = readlinkSync(at);
    if (links === 0 && !text.includes('/')) return [];
    if (UP_AFTER_NAME.test(text)) return [realPathOf(at)].filter((path) => path !== undefined);
    const next = resolve(dirname(at), text);
    const folder = realFolder(dirname(next));
    if (folder === undefined) return [];
    at = join(folder, basename(next));
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (!found.isSymbolicLink()) return [at];
  }
  return [];
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
