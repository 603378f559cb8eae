import { renderPrompt } from '../prompts/render.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { ToolRefusal } from './tool.ts';

/** Prompts that a client can offer its user. */
export const PROMPTS = [
  {
    name: 'recall',
    title: 'Start from known lessons',
    description: "Search this repository's memory before a task.",
    arguments: [{ name: 'task', description: 'The task.', required: false }],
  },
  {
    name: 'retrospect',
    title: 'Learn from a loop',
    description: 'Find what the attempts of a loop have in common, and propose lessons.',
    arguments: [{ name: 'loop', description: 'Loop id.', required: true }],
  },
] as const;

const MAX_TASK_CHARS = 8000;

/** Renders a prompt; undefined for an unknown name. Throws ToolRefusal for an invalid argument. */
export function promptText(name: string, args: Readonly<Record<string, string>>): string | undefined {
  if (name === 'recall') return renderPrompt('mcp-recall', { task: cut(args.task ?? '') });
  if (name !== 'retrospect') return undefined;
  if (!isLoopId(args.loop ?? ''))
    throw new ToolRefusal('loop must be a loop id, such as ralph-fix-login-20260125-x7k2p9.');
  return renderPrompt('mcp-retrospect', { loop: args.loop! });
}

function cut(task: string): string {
  const left = task.length - MAX_TASK_CHARS;
  return left <= 0
    ? task
    : `${task.slice(0, MAX_TASK_CHARS)}\n\n[cut: ${left} of ${task.length} characters left out]`;
}
