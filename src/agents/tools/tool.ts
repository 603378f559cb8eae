import type { Action } from '../../schema/generated.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { PathOptions } from './paths.ts';

/** The workspace and the limits of the tools. */
export interface ToolContext extends PathOptions {
  /** Returns the environment of commands; `extra` overrides it. */
  readonly env: (extra?: Readonly<Record<string, string>>) => Record<string, string>;
  /** The timeout of a command that sets none. */
  readonly bashTimeoutMs: number;
  /** The sandbox of commands. */
  readonly sandbox?: Sandbox | undefined;
}

/** The result of a call: `text` for the model, `action` for the trajectory. */
export interface ToolResult {
  readonly text: string;
  readonly action: Action;
}

/** Runs one tool. Throws an Error whose message tells the model what to do instead. */
export type ToolRun<Input> = (
  input: Input,
  context: ToolContext,
  signal: AbortSignal,
) => ToolResult | Promise<ToolResult>;
