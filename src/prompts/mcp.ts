/** Variables of `mcp-recall.hbs`, for an agent that starts a task. */
export interface McpRecallPrompt {
  /** Empty: the client gave no task. */
  readonly task: string;
}

/** Variables of `mcp-retrospect.hbs`, for an agent that reviews a finished loop. */
export interface McpRetrospectPrompt {
  /** Loop id. */
  readonly loop: string;
}
