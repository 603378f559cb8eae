import type { ChalkInstance } from 'chalk';

/** A line of the block, and how much it is missed where the terminal is too low: the least is the first to go. */
export interface Row {
  readonly text: string;
  readonly worth: number;
}

export interface BlockStyle {
  readonly chalk: ChalkInstance;
  /** Milliseconds of the model's clock. */
  readonly nowMs: number;
  /** That the block may take. */
  readonly columns: number;
}

/** Columns in front of what a label says. */
export const LABEL_COLUMNS = 9;

/** `  reward 0.946`: text below its label, or below what has one. */
export function labelled(label: string, text: string, chalk: ChalkInstance): string {
  return `  ${chalk.dim(label.padEnd(LABEL_COLUMNS - 3))} ${text}`;
}
