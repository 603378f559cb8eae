import type { SearchReplace } from './search-replace.ts';

/** The change of one file in an answer. */
export type FileChange =
  | { readonly path: string; readonly kind: 'edits'; readonly edits: readonly SearchReplace[] }
  /** Creates the file, or replaces all of it. */
  | { readonly path: string; readonly kind: 'whole'; readonly text: string }
  /** Creates the file, by a block without old text; does not replace an existing file. */
  | { readonly path: string; readonly kind: 'new'; readonly text: string };

interface Draft {
  readonly edits: SearchReplace[];
  whole?: string;
  created?: string;
}

/** Collects the changes of an answer by file. */
export class FileDrafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #unchanged = new Set<string>();

  add(path: string, edit: SearchReplace): void {
    const draft = this.#draftOf(path);
    if (edit.oldText.trim() === '') draft.created = withFinalLineEnd(edit.newText);
    else if (edit.oldText === edit.newText) this.#unchanged.add(path);
    else if (!draft.edits.some((known) => isSame(known, edit))) draft.edits.push(edit);
  }

  /** Sets the whole text of a file; the last one counts. */
  replace(path: string, text: string): void {
    this.#draftOf(path).whole = text;
  }

  changes(): FileChange[] {
    return [...this.#drafts].flatMap(([path, { edits, whole, created }]): FileChange[] => {
      const creation: FileChange[] = created === undefined ? [] : [{ path, kind: 'new', text: created }];
      if (edits.length > 0) return [...creation, { path, kind: 'edits', edits }];
      return whole === undefined ? creation : [{ path, kind: 'whole', text: whole }];
    });
  }

  problems(): string[] {
    return [...this.#unchanged].map((path) => `A block of ${path} does not change its lines.`);
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

function withFinalLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
