import type { McpServices } from './services.ts';

/** An argument or a state of affairs that the client is told of; the call failed and the server goes on. */
export class ToolRefusal extends Error {}

export interface ToolCall {
  readonly services: McpServices;
  readonly signal: AbortSignal;
  /** Gets what was done so far, for a client that waits. */
  readonly tell: (message: string) => void;
}

/** A tool of the server. Its arguments hold by `inputSchema` when `run` is called. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** Says so where the tool is switched off; undefined where it is there. */
  readonly off: (services: McpServices) => string | undefined;
  readonly changesSomething: boolean;
  run(args: Readonly<Record<string, never>>, call: ToolCall): Promise<object | string>;
}

/** Arguments by their schema: no other fields, and every text and list bounded. */
export function inputSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): McpTool['inputSchema'] {
  return { type: 'object', additionalProperties: false, properties, required };
}

export const TEXT = { type: 'string', minLength: 1, maxLength: 500 };
export const LIMIT = { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many (10).' };
