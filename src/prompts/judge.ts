/** Variables of `judge.hbs`. */
export interface JudgePrompt {
  readonly task: string;
  readonly taskFence: string;
  readonly criteria: readonly { readonly id: string; readonly text: string }[];
  /** Unified diff. */
  readonly patch: string;
  readonly patchFence: string;
  readonly isCut: boolean;
}
