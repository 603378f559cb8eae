// The gate of ralph for opencode. Written by `ralph init --hooks opencode`; --remove removes it.
// opencode tells its plugins about events; it has no hook that can hold a session, so a session that is idle and not done gets
// what is missing as its next prompt.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RALPH = [fileURLToPath(new URL('../../bin/ralph.js', import.meta.url))];
const OPTIONS = [];

/** Tools that may change files. */
const EDITING = ['edit', 'multiedit', 'write', 'patch', 'apply_patch', 'bash'];

/** Characters of a toast. */
const MOST = 1200;

/** The first lines of a text and the last one, which says what can be done. */
function shortened(text) {
  if (text.length <= MOST) return text;
  const lines = text.split('\n');
  const last = lines.length > 1 ? lines.pop().slice(0, MOST / 2) : '';
  let shown = '';
  for (const line of lines) {
    if (shown.length + line.length + last.length > MOST) break;
    shown += `${line}\n`;
  }
  return `${shown === '' ? `${lines[0].slice(0, MOST / 2)}\n` : shown}…\n${last}`.trim();
}

/** Runs `ralph gate COMMAND --hook opencode` with a payload; resolves to its answer, or undefined if it has none. */
function gate(command, payload) {
  const [program, ...first] = RALPH;
  const options = command === 'ahead' ? [] : OPTIONS;
  const args = [...first, 'gate', command, '--hook', 'opencode', ...options];
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: payload.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    child.on('error', () => resolve(undefined));
    child.on('close', () => {
      try {
        resolve(JSON.parse(text));
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

export const RalphGate = async ({ client, directory }) => {
  /** By session: the text for its first prompt, and whether its next turn is one that the gate asked for. */
  const sessions = new Map();
  const sessionOf = (id) => {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const fresh = {
      started: gate('start', { session_id: id, cwd: directory }),
      isContinued: false,
      isChecking: false,
    };
    sessions.set(id, fresh);
    return fresh;
  };
  const isChild = async (id) => {
    const { data } = await client.session.get({ path: { id } });
    return data?.parentID !== undefined;
  };
  const say = (id, text, more) =>
    client.session.promptAsync({ path: { id }, body: { ...more, parts: [{ type: 'text', text }] } });

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (sessions.has(sessionID) || (await isChild(sessionID))) return;
      const answer = await sessionOf(sessionID).started;
      if (!answer?.context) return;
      const id = `prt_${Date.now().toString(16)}ralph`;
      parts.push({
        id,
        sessionID,
        messageID: message.id,
        type: 'text',
        text: answer.context,
        synthetic: true,
      });
    },
    'tool.execute.after': async ({ tool, sessionID }) => {
      // Not awaited: the agent goes on at once.
      if (sessions.has(sessionID) && EDITING.includes(tool))
        void gate('ahead', { session_id: sessionID, cwd: directory });
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle') return;
      const id = event.properties.sessionID;
      const session = sessions.get(id);
      if (session === undefined || session.isChecking) return;
      session.isChecking = true;
      const { isContinued } = session;
      session.isContinued = false;
      const answer = await gate('check', { session_id: id, cwd: directory, stop_hook_active: isContinued });
      session.isChecking = false;
      if (answer?.block) {
        session.isContinued = true;
        await say(id, answer.text);
      } else if (answer?.text) {
        await client.tui
          .showToast({ body: { message: shortened(answer.text), variant: 'warning', duration: 30_000 } })
          .catch(() => {});
      }
    },
  };
};
