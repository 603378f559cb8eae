import { setTimeout as delay } from 'node:timers/promises';
import { ExitCode, RalphError } from '../../errors.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { startAgent, type AgentExit } from './agent-process.ts';
import { toTrajectory, type Attempt } from './attempt.ts';
import { converse, type Conversation, type Ending } from './conversation.ts';
import type { FoundAgent } from './find-agent.ts';
import { createMessageStream, type MessageListener } from './message-stream.ts';
import { outcomeOf } from './outcome.ts';
import { createServices } from './services.ts';
import { createTerminals } from './terminals.ts';
import { takeTurnUsage, takeUpdate } from './updates.ts';
import type { Cut, Watch } from './watch.ts';

/** An agent that speaks the protocol says so within this time, or never. */
const MAX_HELLO_MS = 60_000;
const CANCEL_GRACE_MS = 2000;
const END_GRACE_MS = 500;
/** What a dead agent wrote last is still read for this long. */
const DRAIN_MS = 250;
const SHELL_NOT_EXECUTABLE = 126;
const SHELL_NOT_FOUND = 127;

/** One attempt of an agent that speaks the Agent Client Protocol: a process and a session of its own. */
export async function attemptByProtocol(found: FoundAgent, attempt: Attempt): Promise<Trajectory> {
  const { context, scope, log, meter, watch, env } = attempt;
  const terminals = createTerminals({ scope, sandbox: context.sandbox, onOutput: watch.heard });
  const agent = await startAgent(found.call, scope.cwd, env);
  const noise = createNoise(attempt);
  let isEnding = false;
  const services = createServices({
    scope,
    terminals,
    log,
    isEnding: () => isEnding,
    onWork: context.onWork,
  });
  const connection = services.connect(
    createMessageStream(agent, {
      onMessage: watch.heard,
      onUpdate: (params) => takeUpdate(params, { log, meter, onProgress: context.onProgress }),
      onNoise: noise.hears,
    }),
  );
  void agent.exited.then(() => delay(DRAIN_MS)).then(() => connection.close());
  const talk = converse({
    agent: connection.agent,
    connection: connection.signal,
    cwd: scope.cwd,
    prompt: attempt.prompt,
    env,
    onProgress: context.onProgress,
  });

  try {
    const cut = await firstOf(talk, watch, attempt.limits.silenceMs);
    isEnding = true;
    if (cut !== undefined) await cancel(talk);
    const exit = await exitSoon(talk, agent.exited, cut);
    connection.close();
    await terminals.close();
    const ending = await talk.ended;
    if (ending.kind === 'stopped') takeTurnUsage(ending.response, meter);
    throwIfMissing(found, ending, exit, agent.stderr());
    const stderr = [agent.stderr(), noise.head()].filter((text) => text !== '').join('\n');
    const { limits } = attempt;
    const ended = { agent: found.name, ending, cut, exit, stderr, lastWords: log.lastWords, ...limits };
    return toTrajectory(attempt, outcomeOf(ended), talk.model());
  } finally {
    await terminals.close();
    await agent.end(END_GRACE_MS);
  }
}

/** Waits for the end of the turn; gives why it was cut where that comes first. */
async function firstOf(talk: Conversation, watch: Watch, silenceMs: number): Promise<Cut | undefined> {
  const clock = new AbortController();
  const hello = delay(Math.min(silenceMs, MAX_HELLO_MS), undefined, { signal: clock.signal }).then(
    () => (talk.phase() === 'initialize' ? ('silence' as const) : watch.cut),
    () => watch.cut,
  );
  const cut = await Promise.race([talk.ended.then(() => undefined), watch.cut, hello]);
  clock.abort();
  return cut;
}

async function cancel(talk: Conversation): Promise<void> {
  const isWorking = talk.phase() === 'prompt';
  void talk.cancel();
  if (isWorking) await Promise.race([talk.ended, delay(CANCEL_GRACE_MS)]);
}

/** How the agent ended, where its end is what ended the conversation. */
async function exitSoon(
  talk: Conversation,
  exited: Promise<AgentExit>,
  cut: Cut | undefined,
): Promise<AgentExit | undefined> {
  if (cut !== undefined || (await talk.ended).kind !== 'broken') return undefined;
  return Promise.race([exited, delay(END_GRACE_MS).then(() => undefined)]);
}

function throwIfMissing(
  { call }: FoundAgent,
  ending: Ending,
  exit: AgentExit | undefined,
  stderr: string,
): void {
  if (!('shell' in call) || ending.kind !== 'broken' || ending.phase !== 'initialize') return;
  if (exit?.exitCode !== SHELL_NOT_FOUND && exit?.exitCode !== SHELL_NOT_EXECUTABLE) return;
  throw new RalphError(`The agent's command could not be started: ${call.shell}\n${stderr.slice(0, 500)}`, {
    code: 'actor_failed',
    exitCode: ExitCode.actor,
    hint: 'Check the program name and PATH, or name another one with --agent "…".',
  });
}

interface NoiseHead {
  readonly hears: MessageListener['onNoise'];
  /** The first lines that were no messages. */
  readonly head: () => string;
}

const NOISE_LINES = 5;

/** Remembers the first lines that were no messages, and warns of the first message that was too long. */
function createNoise({ context }: Attempt): NoiseHead {
  const lines: string[] = [];
  let warned = false;
  return {
    hears({ kind, text }) {
      if (kind === 'text' && lines.length < NOISE_LINES) lines.push(text);
      if (kind === 'text' || warned) return;
      warned = true;
      context.onWork({ type: 'warning', text: 'A message of the agent was too long and was left out.' });
    },
    head: () => lines.join('\n'),
  };
}
