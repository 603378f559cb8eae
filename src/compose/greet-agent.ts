import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentSessions } from '../agents/acp/index.ts';
import { messageOf, RalphError } from '../errors.ts';
import { git } from '../platform/git/git.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../platform/files/temporary-folder.ts';
import type { Usage } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';

/** How an agent answered a greeting. */
export interface Greeting {
  readonly isAnswered: boolean;
  /** The agent's answer, or what is missing in the agent's words. */
  readonly text: string;
  readonly hint?: string;
  /** What happened before the answer, such as a protocol that failed; sentences. */
  readonly warnings: readonly string[];
  readonly usage: Usage;
}

const TASK = 'Answer with the single word hello. Use no tool and change no file.';
/** Maximum time for an answer, in seconds; for each way in which the agent can be asked. */
export const GREETING_SECONDS = 240;
const SILENCE_MS = 30_000;
/** A busy machine needs a minute or more to start an agent. */
const START_MS = 180_000;

/**
 * Starts an agent in an empty repository and gives it a one-line task. Never rejects for what the agent does. Throws RalphError
 * if it is not installed.
 */
export async function greetAgent(agent: string, signal: AbortSignal): Promise<Greeting> {
  const ask = createAgentSessions({
    agent,
    timeoutMs: GREETING_SECONDS * 1_000,
    silenceMs: SILENCE_MS,
    startMs: START_MS,
    confinement: 'auto',
  });
  const folder = makeTemporaryFolder('doctor');
  const root = join(folder, 'repository');
  const warnings: string[] = [];
  try {
    mkdirSync(root);
    await git(['init', '--quiet'], { cwd: root });
    const { outcome, message, fatal, usage } = await ask({
      loopId: 'ralph-doctor',
      iteration: 1,
      root,
      project: {
        repository: root,
        packageDir: '.',
        packageManager: { name: 'npm', installCommand: 'npm ci' },
        checks: [],
        notes: [],
      },
      prompt: TASK,
      signal,
      onProgress: () => undefined,
      onWork: (event) => {
        if (event.type === 'warning') warnings.push(event.text);
      },
    });
    const isAnswered = outcome === 'claimed_done' || outcome === 'edited';
    const hint =
      fatal?.hint ??
      (isAnswered ? undefined : `Start ${agent} in a terminal to see whether it reaches its model.`);
    return { isAnswered, text: message, ...(hint !== undefined && { hint }), warnings, usage };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { hint } = error;
    const said = { text: messageOf(error), ...(hint !== undefined && { hint }) };
    return { isAnswered: false, ...said, warnings, usage: NO_USAGE };
  } finally {
    removeTemporaryFolder(folder);
  }
}
