/** For an agent that has ralph's memory as a server and begins a task. */
export interface McpRecallPrompt {
  /** Empty where the client gave none. */
  readonly task: string;
}

/** For an agent that is to learn from a loop that has ended. */
export interface McpRetrospectPrompt {
  /** Loop id. */
  readonly loop: string;
}
