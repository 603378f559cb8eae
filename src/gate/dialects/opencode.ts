import { jsonAnswer, type Dialect } from './dialect.ts';
import { commonCall, parsePayload } from './payload.ts';

/**
 * opencode has plugins instead of hooks that are commands. Ralph's own plugin calls the gate with `session_id`, `cwd` and
 * `stop_hook_active`, and reads `{block, text}` or `{context}`.
 */
export const opencode: Dialect = {
  title: 'opencode',
  read: (input) => commonCall(parsePayload(input), undefined),
  started: (text) => jsonAnswer({ context: text }),
  passed: (note) => jsonAnswer({ block: false, text: note ?? '' }),
  blocked: (text) => jsonAnswer({ block: true, text }),
  failed: (text) => jsonAnswer({ block: false, text }),
};
