import { TIMEOUT_S, type HookCommands, type HookFile } from './hook-file.ts';

/** Codex: `.codex/hooks.json`. Codex asks its user once to trust them (/hooks). */
export function codexFiles({ start, check }: HookCommands): HookFile[] {
  const hook = (command: string): object => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] });
  return [
    {
      kind: 'json',
      path: '.codex/hooks.json',
      entries: [
        { list: ['hooks', 'SessionStart'], value: hook(start) },
        { list: ['hooks', 'Stop'], value: hook(check) },
      ],
      fresh: '{}\n',
    },
  ];
}
