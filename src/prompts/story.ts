/** A user story of a prd.json as the task of a loop. Empty where the story does not say. */
export interface StoryPrompt {
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly notes: string;
}
