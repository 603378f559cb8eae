import { SHORT_TIMEOUT_S, TIMEOUT_S, type HookCommands, type HookFile } from './hook-file.ts';

/** Tools that may change files. */
const EDITING = 'replace|write_file|run_shell_command';

/** Gemini CLI: `.gemini/settings.json`, with limits in milliseconds. */
export function geminiFiles({ start, ahead, check }: HookCommands): HookFile[] {
  const hook = (command: string, timeoutS = TIMEOUT_S): object => ({
    hooks: [{ name: 'ralph-gate', type: 'command', command, timeout: timeoutS * 1000 }],
  });
  return [
    {
      kind: 'json',
      path: '.gemini/settings.json',
      entries: [
        { list: ['hooks', 'SessionStart'], value: hook(start) },
        { list: ['hooks', 'AfterTool'], value: { matcher: EDITING, ...hook(ahead, SHORT_TIMEOUT_S) } },
        { list: ['hooks', 'AfterAgent'], value: hook(check) },
      ],
      fresh: '{}\n',
    },
  ];
}
