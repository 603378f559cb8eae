const MOST_SHOWN = 3;

/** `` `a.js`, `b.js`, `c.js` and 2 more ``: at most three files are named. */
export function listFiles(files: readonly string[]): string {
  const shown = files.slice(0, MOST_SHOWN).map((file) => `\`${file}\``);
  return shown.join(', ') + (files.length > shown.length ? ` and ${files.length - shown.length} more` : '');
}
