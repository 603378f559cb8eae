import { jsonAnswer, SILENCE, type Dialect } from './dialect.ts';
import { commonCall, parsePayload } from './payload.ts';

/** Hooks of Claude Code: https://code.claude.com/docs/en/hooks (SessionStart, Stop). */
export const claude: Dialect = {
  title: 'Claude Code',
  // The agent may have changed its own folder; its project stays the same.
  read: (input, env) => commonCall(parsePayload(input), env['CLAUDE_PROJECT_DIR']),
  started: (text) =>
    jsonAnswer({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
  passed: (note) => (note === undefined ? SILENCE : jsonAnswer({ systemMessage: note })),
  blocked: (text) => jsonAnswer({ decision: 'block', reason: text }),
  // Exit code 2 would hold the agent; any other one shows the text to the user.
  failed: (text) => ({ stderr: `${text}\n`, exitCode: 1 }),
};
