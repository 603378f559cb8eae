import { claudeFiles } from './claude.ts';
import { codexFiles } from './codex.ts';
import { geminiFiles } from './gemini.ts';
import { gitFiles } from './git.ts';
import type { HookCommands, HookFile } from './hook-file.ts';
import { opencodeFiles } from './opencode.ts';

/** Files with hooks by the value of `ralph init --hooks`; `gitFolder` is git's folder of hooks. */
export const HOOK_FILES = {
  claude: claudeFiles,
  codex: codexFiles,
  gemini: geminiFiles,
  opencode: opencodeFiles,
  git: gitFiles,
} satisfies Readonly<Record<string, (commands: HookCommands, gitFolder: string) => HookFile[]>>;

/** A value of `ralph init --hooks`. */
export type HookTarget = keyof typeof HOOK_FILES;

/** Each target once, in the order of the table. */
export function applyOrder(targets: readonly HookTarget[]): HookTarget[] {
  return (Object.keys(HOOK_FILES) as HookTarget[]).filter((target) => targets.includes(target));
}
