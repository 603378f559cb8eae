/** Ids of the elements that a page links to. They hold no untrusted text. */
export const anchors = {
  attempt: (iteration: number): string => `attempt-${iteration}`,
  /** A failure of an attempt; `index` is 0-based among the shown ones. */
  failure: (iteration: number, index: number): string => `a${iteration}-e${index}`,
  file: (iteration: number, file: number): string => `a${iteration}-f${file}`,
  /** `line`: line of the file after the attempt, 1-based. */
  line: (iteration: number, file: number, line: number): string => `a${iteration}-f${file}-l${line}`,
  action: (iteration: number, index: number): string => `a${iteration}-do${index}`,
  row: (index: number): string => `failure-${index}`,
} as const;
