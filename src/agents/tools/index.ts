import { resolve } from 'node:path';
import type { ModelTool } from '../llm/client.ts';
import type { Action } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { bash } from './bash.ts';
import { TOOL_DEFINITIONS, type ToolName } from './definitions.ts';
import { edit } from './edit.ts';
import { hideRoot } from './hide-root.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import type { ToolRun, ToolSetting } from './tool.ts';
import { write } from './write.ts';

export interface ToolsOptions {
  /** Absolute path of the workspace; nothing outside of it is read or written, other than by commands. */
  readonly root: string;
  /** Folder of the package relative to the root; `.` is the root. Commands run there. */
  readonly cwd: string;
  /** The environment of commands. Default: the user's, less secrets. */
  readonly env?: ToolSetting['env'];
  /** How long a command may take that names no time-out. */
  readonly bashTimeoutMs: number;
  /** What commands are confined to; without it, they have ralph's own rights. */
  readonly sandbox?: ToolSetting['sandbox'];
  /** Told of every call, the failed ones included, when it has ended. */
  readonly onAction: (action: Action) => void;
}

const DESCRIPTION_CHARS = 1900;
const RUNS = { read, list, search, edit, write, bash } as const satisfies Record<ToolName, ToolRun<never>>;

/** What a model edits a repository with: read, list, search, edit, write and bash, in this order. */
export function createTools(options: ToolsOptions): Readonly<Record<string, ModelTool>> {
  const setting = { ...options, root: resolve(options.root), env: options.env ?? childEnvironment };
  const names = Object.keys(TOOL_DEFINITIONS) as ToolName[];
  return Object.fromEntries(names.map((name) => [name, createTool(name, setting, options.onAction)]));
}

function createTool(name: ToolName, setting: ToolSetting, onAction: ToolsOptions['onAction']): ModelTool {
  const run: ToolRun<never> = RUNS[name];
  return {
    ...TOOL_DEFINITIONS[name],
    async run(input, signal) {
      try {
        const { text, action } = await run(input, setting, signal);
        onAction({ ...action, description: boundText(action.description, DESCRIPTION_CHARS) });
        return text;
      } catch (error) {
        const message = hideRoot(error instanceof Error ? error.message : String(error), setting.root);
        onAction(failedCall(name, message));
        throw new Error(message, { cause: error });
      }
    },
  };
}

/** A call that did nothing. */
function failedCall(name: ToolName, message: string): Action {
  return { type: 'other', description: boundText(`${name} failed: ${message}`, DESCRIPTION_CHARS) };
}
