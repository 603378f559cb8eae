import { SHORT_TIMEOUT_S, TIMEOUT_S, type HookCommands, type HookFile } from './hook-file.ts';

/** Tools that may change files. */
const EDITING = 'apply_patch|Bash';

/** Codex: `.codex/hooks.json`. Codex asks its user once to trust them (/hooks). */
export function codexFiles({ start, ahead, check }: HookCommands): HookFile[] {
  const hook = (command: string, timeout = TIMEOUT_S): object => ({
    hooks: [{ type: 'command', command, timeout }],
  });
  return [
    {
      kind: 'json',
      path: '.codex/hooks.json',
      entries: [
        { list: ['hooks', 'SessionStart'], value: hook(start) },
        { list: ['hooks', 'PostToolUse'], value: { matcher: EDITING, ...hook(ahead, SHORT_TIMEOUT_S) } },
        { list: ['hooks', 'Stop'], value: hook(check) },
      ],
      fresh: '{}\n',
    },
  ];
}
