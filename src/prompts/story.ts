/** Variables of `story.hbs`: a user story of a prd.json as a task. Absent fields are empty. */
export interface StoryPrompt {
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly notes: string;
}
