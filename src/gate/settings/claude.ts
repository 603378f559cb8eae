import { TIMEOUT_S, type HookCommands, type HookFile } from './hook-file.ts';

/** Claude Code: `.claude/settings.json`, which is committed. */
export function claudeFiles({ start, check }: HookCommands): HookFile[] {
  const hook = (command: string): object => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] });
  return [
    {
      kind: 'json',
      path: '.claude/settings.json',
      entries: [
        { list: ['hooks', 'SessionStart'], value: hook(start) },
        { list: ['hooks', 'Stop'], value: hook(check) },
      ],
      fresh: '{}\n',
    },
  ];
}
