import { setPriority } from 'node:os';
import { DIALECTS, type HookName } from '../../gate/dialects/index.ts';
import { isKeptAhead } from '../../gate/kept-ahead.ts';
import { BY_HAND, hasSession } from '../../gate/session-store.ts';
import { packageFile } from '../../platform/package-files.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { answerHook } from './gate-hook.ts';

interface GateAheadOptions {
  readonly hook?: HookName;
  /** Id of the session; absent: the one that was started by hand. */
  readonly session?: string;
}

/** The agent works at the same time and goes first; but a stop may wait for the result. */
const NICENESS = 5;

/** `ralph gate ahead`: for a hook, in a process of its own, so that the agent goes on at once. */
export async function gateAheadCommand(options: GateAheadOptions): Promise<void> {
  const { hook, session = BY_HAND } = options;
  if (hook !== undefined) return startForHook(hook);
  const { keepAhead } = await import('../../compose/gate/keep-ahead.ts');
  const interruption = listenForInterrupts(() => {}, 1);
  setPriority(NICENESS);
  try {
    const { signal } = interruption;
    await keepAhead({ cwd: process.cwd(), flags: {}, env: process.env, session, signal });
  } finally {
    interruption.close();
  }
}

/** An agent is not told what fails here: the stop judges the files then. */
async function startForHook(hook: HookName): Promise<void> {
  await answerHook(hook, async ({ call }) => {
    const { cwd = process.cwd(), session = BY_HAND } = call;
    await startAhead(cwd, session).catch(() => {});
    return DIALECTS[hook].passed();
  });
}

async function startAhead(cwd: string, session: string): Promise<void> {
  const root = findRepositoryRoot(cwd);
  const isWatched = hasSession(root, session) || hasSession(root, BY_HAND);
  if (!isWatched || isKeptAhead(root)) return;
  const { startDetached } = await import('../../platform/processes/start-detached.ts');
  startDetached({
    file: process.execPath,
    args: [packageFile('bin', 'ralph.js'), 'gate', 'ahead', '--session', session],
    cwd,
    env: process.env,
    log: '/dev/null',
  });
}
