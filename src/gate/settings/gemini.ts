import { TIMEOUT_S, type HookCommands, type HookFile } from './hook-file.ts';

/** Gemini CLI: `.gemini/settings.json`, with limits in milliseconds. */
export function geminiFiles({ start, check }: HookCommands): HookFile[] {
  const hook = (command: string): object => ({
    hooks: [{ name: 'ralph-gate', type: 'command', command, timeout: TIMEOUT_S * 1000 }],
  });
  return [
    {
      kind: 'json',
      path: '.gemini/settings.json',
      entries: [
        { list: ['hooks', 'SessionStart'], value: hook(start) },
        { list: ['hooks', 'AfterAgent'], value: hook(check) },
      ],
      fresh: '{}\n',
    },
  ];
}
