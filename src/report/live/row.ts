import type { ChalkInstance } from 'chalk';

/** A line of the block; in a terminal with too few rows, the lines of the lowest worth are dropped first. */
export interface Row {
  readonly text: string;
  readonly worth: number;
}

/** Style and time of the block. */
export interface BlockStyle {
  readonly chalk: ChalkInstance;
  /** Milliseconds of the model's clock. */
  readonly nowMs: number;
  /** Maximum width of the block. */
  readonly columns: number;
}

/** Width of a label with its margins. */
export const LABEL_COLUMNS = 9;

/** Renders `  reward 0.946`; an empty label for continuation rows. */
export function labelled(label: string, text: string, chalk: ChalkInstance): string {
  return `  ${chalk.dim(label.padEnd(LABEL_COLUMNS - 3))} ${text}`;
}
