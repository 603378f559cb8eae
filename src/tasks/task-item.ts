/** One task of a task file. Each task gets its own loop. */
export interface TaskItem {
  /** Unique in the file, and the same as long as the task itself does not change. */
  readonly key: string;
  /** One line. */
  readonly title: string;
  /** The task of the loop. */
  readonly text: string;
  readonly criteria: readonly TaskCriterion[];
  /** True if it is ticked or marked as passing. */
  readonly done: boolean;
}

/** A requirement of a task: decided by a command, by a test file of the repository, or stated as a sentence only. */
export interface TaskCriterion {
  /** One sentence. */
  readonly text: string;
  readonly command?: string | undefined;
  /** Relative to the repository's root. */
  readonly test?: string | undefined;
}

/** Replaces `length` UTF-16 units at `offset` by `text`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The parsed content of a task file. */
export interface TaskFile {
  readonly format: 'checklist' | 'prd';
  /** In the order in which they are run. */
  readonly items: readonly TaskItem[];
  /** Edits that mark an item as done; empty if it is done or does not exist. */
  tick(key: string): readonly TextEdit[];
}
