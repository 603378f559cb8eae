import type { SearchReplace } from './search-replace.ts';

/** What one answer wants done to one file. */
export type FileChange =
  | { readonly path: string; readonly kind: 'edits'; readonly edits: readonly SearchReplace[] }
  /** Made, or replaced as a whole. */
  | { readonly path: string; readonly kind: 'whole'; readonly text: string }
  /** Made by a block without old text, which is no wish to replace what is there. */
  | { readonly path: string; readonly kind: 'new'; readonly text: string };

interface Draft {
  readonly edits: SearchReplace[];
  whole?: string;
  created?: string;
}

/** What an answer wants done, gathered file by file. */
export class FileDrafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #idle = new Set<string>();

  add(path: string, edit: SearchReplace): void {
    const draft = this.#draftOf(path);
    if (edit.oldText.trim() === '') draft.created = endedByLine(edit.newText);
    else if (edit.oldText === edit.newText) this.#idle.add(path);
    else if (!draft.edits.some((known) => isSame(known, edit))) draft.edits.push(edit);
  }

  /** Of several texts of one file the last one counts. */
  replace(path: string, text: string): void {
    this.#draftOf(path).whole = text;
  }

  changes(): FileChange[] {
    return [...this.#drafts].flatMap(([path, { edits, whole, created }]): FileChange[] => {
      const made: FileChange[] = created === undefined ? [] : [{ path, kind: 'new', text: created }];
      if (edits.length > 0) return [...made, { path, kind: 'edits', edits }];
      return whole === undefined ? made : [{ path, kind: 'whole', text: whole }];
    });
  }

  problems(): string[] {
    return [...this.#idle].map((path) => `A block of ${path} replaces lines by the same lines.`);
  }

  #draftOf(path: string): Draft {
    const draft = this.#drafts.get(path) ?? { edits: [] };
    this.#drafts.set(path, draft);
    return draft;
  }
}

function isSame(a: SearchReplace, b: SearchReplace): boolean {
  return a.oldText === b.oldText && a.newText === b.newText;
}

function endedByLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
