/** Ids of the places in a page that others link to. None holds text from elsewhere. */
export const anchors = {
  attempt: (iteration: number): string => `attempt-${iteration}`,
  /** A failure behind an attempt; `index` is 0-based among those that are shown. */
  failure: (iteration: number, index: number): string => `a${iteration}-e${index}`,
  file: (iteration: number, file: number): string => `a${iteration}-f${file}`,
  /** `line` is that of the file behind the attempt, 1-based. */
  line: (iteration: number, file: number, line: number): string => `a${iteration}-f${file}-l${line}`,
  action: (iteration: number, index: number): string => `a${iteration}-do${index}`,
  row: (index: number): string => `failure-${index}`,
} as const;
