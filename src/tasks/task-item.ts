/** One task of a file, for a loop of its own. */
export interface TaskItem {
  /** The same whenever the file is read, whatever else in it changes; unique in the file. */
  readonly key: string;
  /** One line. */
  readonly title: string;
  /** What the loop is asked to do. */
  readonly text: string;
  /** Ticked, or marked as passing, already. */
  readonly done: boolean;
}

/** A place in a file's text, in UTF-16 units, and what stands there instead. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A file of tasks as it was read. */
export interface TaskFile {
  readonly format: 'checklist' | 'prd';
  /** In the order in which they are to be done. */
  readonly items: readonly TaskItem[];
  /** What marks an item as done; empty where it is, or where there is no such item. */
  tick(key: string): readonly TextEdit[];
}
