import { jsonAnswer, SILENCE, type Dialect } from './dialect.ts';
import { folderIn, parsePayload, textIn } from './payload.ts';

/** Hooks of Cursor: https://cursor.com/docs/agent/hooks (sessionStart, stop). */
export const cursor: Dialect = {
  title: 'Cursor',
  read(input, env) {
    const payload = parsePayload(input);
    const roots = payload['workspace_roots'];
    const [root] = Array.isArray(roots) ? (roots as unknown[]) : [];
    const loops = payload['loop_count'];
    return {
      session: textIn(payload, 'conversation_id') ?? textIn(payload, 'session_id'),
      cwd: folderIn(env['CURSOR_PROJECT_DIR']) ?? folderIn(root) ?? folderIn(payload['cwd']),
      isContinued: typeof loops === 'number' && loops > 0,
      isInterrupted: payload['status'] === 'aborted' || payload['status'] === 'error',
      said: '',
    };
  },
  started: (text) => jsonAnswer({ additional_context: text }),
  passed: () => SILENCE,
  blocked: (text) => jsonAnswer({ followup_message: text }),
  failed: (text) => ({ stderr: `${text}\n`, exitCode: 1 }),
};
