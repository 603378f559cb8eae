import { jsonAnswer, SILENCE, type Dialect } from './dialect.ts';
import { commonCall, parsePayload } from './payload.ts';

/** Hooks of Codex: https://developers.openai.com/codex/hooks (SessionStart, Stop). */
export const codex: Dialect = {
  title: 'Codex',
  read: (input) => commonCall(parsePayload(input), undefined),
  started: (text) =>
    jsonAnswer({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
  passed: (note) => (note === undefined ? SILENCE : jsonAnswer({ systemMessage: note })),
  blocked: (text) => jsonAnswer({ decision: 'block', reason: text }),
  failed: (text) => ({ stderr: `${text}\n`, exitCode: 1 }),
};
