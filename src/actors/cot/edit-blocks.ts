/** What one answer wants done to one file. */
export type FileChange =
  | { readonly path: string; readonly kind: 'edits'; readonly edits: readonly SearchReplace[] }
  | { readonly path: string; readonly kind: 'whole'; readonly text: string };

export interface SearchReplace {
  readonly oldText: string;
  readonly newText: string;
}

const SEARCH = /^<{5,9} ?SEARCH\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} ?REPLACE\s*$/;
const FENCE = /^(`{3,})[\w.+-]*\s*$/;
/** A path alone on its line, as models dress it: with marks, quotes, a colon or a comment sign. */
const PATH =
  /^(?:#{1,6} |\*\*|File: |\/\/ |`|")*([\w@.()[\]-][\w@.()[\]/-]*\.\w+|[\w@.-]+\/[\w@./-]+)(?:\*\*|:|`|")*$/i;

/**
 * Edit blocks and whole files in an answer, in order; blocks of one file are joined, since all of them are meant for
 * the file as it was. Anything else is talk. A block whose end is missing (a cut-off answer) is left out.
 */
export function parseEditBlocks(answer: string): FileChange[] {
  const changes = new Map<string, FileChange>();
  const lines = answer.replace(/\r\n/g, '\n').split('\n');
  let path: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (SEARCH.test(line)) {
      const block = readBlock(lines, at);
      if (block === undefined) break;
      if (path !== undefined) addEdit(changes, path, block.edit);
      at = block.end;
      continue;
    }
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      // A fence around edit blocks is dress; one right below a path is the whole file.
      if (
        path === undefined ||
        lines
          .slice(at + 1)
          .find((next) => next.trim() !== '')
          ?.match(SEARCH)
      )
        continue;
      const end = lines.findIndex((next, index) => index > at && next.trimEnd() === fence);
      if (end === -1) break;
      if (!changes.has(path))
        changes.set(path, { path, kind: 'whole', text: wholeText(lines.slice(at + 1, end)) });
      at = end;
      path = undefined;
      continue;
    }
    path = pathIn(line) ?? (line.trim() === '' ? path : undefined);
  }
  return [...changes.values()];
}

function readBlock(
  lines: readonly string[],
  start: number,
): { edit: SearchReplace; end: number } | undefined {
  const divider = lines.findIndex((line, index) => index > start && DIVIDER.test(line));
  const end = lines.findIndex((line, index) => index > divider && REPLACE.test(line));
  if (divider === -1 || end === -1) return undefined;
  const oldText = lines.slice(start + 1, divider).join('\n');
  return { edit: { oldText, newText: lines.slice(divider + 1, end).join('\n') }, end };
}

function addEdit(changes: Map<string, FileChange>, path: string, edit: SearchReplace): void {
  const known = changes.get(path);
  const edits = known?.kind === 'edits' ? known.edits : [];
  if (edit.oldText.trim() === '')
    changes.set(path, { path, kind: 'whole', text: wholeText(edit.newText.split('\n')) });
  else changes.set(path, { path, kind: 'edits', edits: [...edits, edit] });
}

function pathIn(line: string): string | undefined {
  return PATH.exec(line.trim())?.[1];
}

function wholeText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
