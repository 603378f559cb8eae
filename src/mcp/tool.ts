import type { McpServices } from './services.ts';

/** An invalid argument or state: the call fails with this message, and the server continues. */
export class ToolRefusal extends Error {}

/** Context of a tool call. */
export interface ToolCall {
  readonly services: McpServices;
  readonly signal: AbortSignal;
  /** Sends progress to the client. */
  readonly report: (message: string) => void;
}

/** A tool of the server. Arguments are validated by `inputSchema` before `run` is called. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** How to turn the tool on; undefined if it is on. */
  readonly off: (services: McpServices) => string | undefined;
  readonly changesSomething: boolean;
  run(args: Readonly<Record<string, never>>, call: ToolCall): Promise<object | string>;
}

/** Schema of a tool's arguments without additional properties. */
export function inputSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): McpTool['inputSchema'] {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** A short text argument. */
export const TEXT = { type: 'string', minLength: 1, maxLength: 500 };
/** Maximum number of results. */
export const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: 50,
  description: 'Maximum number of results. Default: 10.',
};
