/** Names of devices of Windows, with any ending. */
const DEVICE =
  /(?:^|\/)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.[^/]*)?(?=\/|$)/iu;
/** The short name that Windows gives to a file with a long one: `PACKAG~1.JSO` is package.json. */
const SHORT_NAME = /(?:^|\/)[^/.]{1,6}~\d{1,6}(?:\.[^/.]{0,3})?(?=\/|$)/;
/** Characters that Windows does not have in names; what follows a colon is a stream of the file before it. */
const NOT_ON_WINDOWS = /[<>:"|?*]/;

/** A path as a file system compares it that ignores case and the way in which a character is composed. */
export function foldPath(path: string): string {
  // Upper case first, because it writes out the letters that lower case leaves alone, such as the long s.
  return path.normalize('NFKC').toUpperCase().normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** True for a path that Windows cannot have, or takes for a device, a part of another file, or another file. */
export function isOddOnWindows(path: string): boolean {
  return DEVICE.test(path) || NOT_ON_WINDOWS.test(path) || SHORT_NAME.test(path);
}

/**
 * The first of some new paths that is spelled like another path of the tree, or is in a folder that is, but for case and
 * composition: some systems keep only one of the two. Pairs that neither path is new in do not count.
 */
export function clashIn(
  added: readonly string[],
  tree: readonly string[],
): { readonly path: string; readonly other: string } | undefined {
  const spellings = new Map<string, Set<string>>();
  const wanted = new Set(added.flatMap(withFolders).map(foldPath));
  for (const part of tree.flatMap(withFolders)) {
    const folded = foldPath(part);
    if (wanted.has(folded)) spellings.set(folded, (spellings.get(folded) ?? new Set()).add(part));
  }
  for (const path of added)
    for (const part of withFolders(path)) {
      const other = [...(spellings.get(foldPath(part)) ?? [])].find((spelling) => spelling !== part);
      if (other !== undefined) return { path, other };
    }
  return undefined;
}

/** A path and the folders above it. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
