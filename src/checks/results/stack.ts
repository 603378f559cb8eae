import type { StackFrame } from '../../schema/generated.ts';
import type { TreePaths } from './tree-paths.ts';

const MAX_FRAMES = 50;
const V8_FRAME = /^\s*at (?:async )?(?:(.*?) \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?$/;
const PLAIN_FRAME = /^\s*(?:❯ )(?:(\S+) )?((?:file:\/\/)?[^\s:]+):(\d+):(\d+)$/;

/**
 * Frames of a V8 stack trace whose files are in the tree, innermost first, without installed packages and Node itself.
 * At most 50. Format: https://v8.dev/docs/stack-trace-api
 */
export function parseStack(stack: string, paths: TreePaths): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const line of stack.split('\n')) {
    const frame = parseFrame(line, paths);
    if (frame !== undefined) frames.push(frame);
    if (frames.length === MAX_FRAMES) break;
  }
  return frames;
}

function parseFrame(line: string, paths: TreePaths): StackFrame | undefined {
  const match = V8_FRAME.exec(line) ?? PLAIN_FRAME.exec(line);
  if (match === null || match[2]!.startsWith('node:')) return undefined;
  const file = paths.relative(match[2]!);
  if (file === undefined || isInstalled(file)) return undefined;
  return {
    file,
    line: Math.max(1, Number(match[3])),
    column: Math.max(1, Number(match[4])),
    function: match[1] ? match[1].slice(0, 500) : undefined,
  };
}

/** Whether a path, relative to the root, belongs to an installed package. */
export function isInstalled(file: string): boolean {
  return /(^|\/)(node_modules|\.yarn|\.pnpm)\//.test(file);
}
