import { renderPrompt } from '../prompts/render.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { ToolRefusal } from './tool.ts';

/** What a client may offer its user to begin with. */
export const PROMPTS = [
  {
    name: 'recall',
    title: 'Begin with what is known',
    description: "Look through this repository's memory before a task.",
    arguments: [{ name: 'task', description: 'What is to be done.', required: false }],
  },
  {
    name: 'retrospect',
    title: 'Learn from a loop',
    description: 'Find what the attempts of a loop have in common, and propose lessons.',
    arguments: [{ name: 'loop', description: 'Loop id.', required: true }],
  },
] as const;

const MAX_TASK = 8000;

/** The text of a prompt; undefined where there is none of that name. Throws ToolRefusal for an argument that is none. */
export function promptText(name: string, args: Readonly<Record<string, string>>): string | undefined {
  if (name === 'recall') return renderPrompt('mcp-recall', { task: cut(args.task ?? '') });
  if (name !== 'retrospect') return undefined;
  if (!isLoopId(args.loop ?? ''))
    throw new ToolRefusal('loop: it must be a loop id, such as ralph-fix-login-20260125-x7k2p9.');
  return renderPrompt('mcp-retrospect', { loop: args.loop! });
}

function cut(task: string): string {
  const left = task.length - MAX_TASK;
  return left <= 0
    ? task
    : `${task.slice(0, MAX_TASK)}\n\n[cut: ${left} of ${task.length} characters are left out]`;
}
