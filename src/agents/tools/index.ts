import { resolve } from 'node:path';
import type { ModelTool } from '../llm/client.ts';
import type { Action } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { bash } from './bash.ts';
import { TOOL_DEFINITIONS, type ToolName } from './definitions.ts';
import { edit } from './edit.ts';
import { relativizePaths } from './relativize-paths.ts';
import { inCallOrder } from './in-call-order.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import type { ToolRun, ToolContext } from './tool.ts';
import { write } from './write.ts';

export interface ToolsOptions {
  /** Absolute path of the workspace; only commands can read or write outside of it. */
  readonly root: string;
  /** The package folder relative to the root; `.` is the root. Commands run there. */
  readonly cwd: string;
  /** The environment of commands. Default: the user's without secrets. */
  readonly env?: ToolContext['env'];
  /** The timeout of a command that sets none. */
  readonly bashTimeoutMs: number;
  /** The sandbox of commands; without it, they run with ralph's own rights. */
  readonly sandbox?: ToolContext['sandbox'];
  /** Called when a call and all before it have ended, failed or not. */
  readonly onAction: (action: Action) => void;
}

const DESCRIPTION_CHARS = 1900;
const ONLY_READ: readonly ToolName[] = ['read', 'list', 'search'];
const RUNS = { read, list, search, edit, write, bash } as const satisfies Record<ToolName, ToolRun<never>>;

/** Creates the tools of the react actor: read, list, search, edit, write and bash, in this order. */
export function createTools(options: ToolsOptions): Readonly<Record<string, ModelTool>> {
  const context = { ...options, root: resolve(options.root), env: options.env ?? childEnvironment };
  const names = Object.keys(TOOL_DEFINITIONS) as ToolName[];
  const announce = inCallOrder(options.onAction);
  return Object.fromEntries(names.map((name) => [name, createTool(name, context, announce)]));
}

function createTool(
  name: ToolName,
  context: ToolContext,
  announce: () => ToolsOptions['onAction'],
): ModelTool {
  const run: ToolRun<never> = RUNS[name];
  return {
    ...TOOL_DEFINITIONS[name],
    onlyReads: ONLY_READ.includes(name),
    async run(input, signal) {
      const onAction = announce();
      try {
        const { text, action } = await run(input, context, signal);
        onAction({ ...action, description: boundText(action.description, DESCRIPTION_CHARS) });
        return text;
      } catch (error) {
        const message = relativizePaths(error instanceof Error ? error.message : String(error), context.root);
        onAction(failedCall(name, message));
        throw new Error(message, { cause: error });
      }
    },
  };
}

/** The action of a failed call. */
function failedCall(name: ToolName, message: string): Action {
  return { type: 'other', description: boundText(`${name} failed: ${message}`, DESCRIPTION_CHARS) };
}
