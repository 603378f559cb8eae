import type { Action } from '../../schema/generated.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { PathOptions } from './paths.ts';

/** Where the tools work, and how. */
export interface ToolSetting extends PathOptions {
  /** The environment of commands; `extra` is put on top. */
  readonly env: (extra?: Readonly<Record<string, string>>) => Record<string, string>;
  /** How long a command may take that names no time-out. */
  readonly bashTimeoutMs: number;
  /** What commands are confined to. */
  readonly sandbox?: Sandbox | undefined;
}

/** What a call gave: the model reads `text`, the trajectory keeps `action`. */
export interface ToolResult {
  readonly text: string;
  readonly action: Action;
}

/** Does what one tool is for. Throws an Error whose sentence tells the model what to do instead. */
export type ToolRun<Input> = (
  input: Input,
  setting: ToolSetting,
  signal: AbortSignal,
) => ToolResult | Promise<ToolResult>;
