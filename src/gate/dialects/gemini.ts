import { jsonAnswer, SILENCE, type Dialect } from './dialect.ts';
import { commonCall, parsePayload } from './payload.ts';

/** Hooks of Gemini CLI: https://geminicli.com/docs/hooks/reference (SessionStart, AfterAgent). */
export const gemini: Dialect = {
  title: 'Gemini CLI',
  read: (input, env) => commonCall(parsePayload(input), env['GEMINI_PROJECT_DIR']),
  started: (text) =>
    jsonAnswer({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
  passed: (note) => (note === undefined ? SILENCE : jsonAnswer({ systemMessage: note })),
  blocked: (text) => jsonAnswer({ decision: 'deny', reason: text }),
  failed: (text) => ({ stderr: `${text}\n`, exitCode: 1 }),
};
