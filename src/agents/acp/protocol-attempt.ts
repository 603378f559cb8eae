import { setTimeout as delay } from 'node:timers/promises';
import { ExitCode, RalphError } from '../../errors.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { startAgent, type AgentExit } from './agent-process.ts';
import { toTrajectory, type Attempt } from './attempt.ts';
import { converse, type Conversation, type Ending } from './conversation.ts';
import type { ProtocolAgent } from './find-agent.ts';
import { exportedTokens } from './session-export.ts';
import { loggedTokens } from './session-log.ts';
import { createMessageStream, type MessageListener } from './message-stream.ts';
import { outcomeOf } from './outcome.ts';
import { createServices } from './services.ts';
import { createTerminals } from './terminals.ts';
import { applyTurnUsage, applyUpdate } from './updates.ts';
import type { StopCause, Watchdog } from './watchdog.ts';

/** The time limit for the answer to `initialize` of a program that prints something else. */
const MAX_OTHER_OUTPUT_MS = 60_000;
const CANCEL_GRACE_MS = 2000;
const END_GRACE_MS = 500;
/** The time to read the remaining output of an agent that has exited. */
const DRAIN_MS = 250;
const SHELL_NOT_EXECUTABLE = 126;
const SHELL_NOT_FOUND = 127;

/** Runs one attempt over the Agent Client Protocol, in a new process and session. */
export async function attemptByProtocol(found: ProtocolAgent, attempt: Attempt): Promise<Trajectory> {
  const { context, scope, log, meter, watchdog, env, confined } = attempt;
  const terminals = createTerminals({ scope, sandbox: context.sandbox, onOutput: watchdog.reset });
  const agent = await startAgent({ call: found.call, cwd: scope.cwd, env, sandbox: confined?.sandbox });
  const strayLines = collectStrayLines(attempt);
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
      onMessage: watchdog.reset,
      onUpdate: (params) => applyUpdate(params, { log, meter, onProgress: context.onProgress }),
      onStrayLine: strayLines.add,
    }),
  );
  void agent.exited.then(() => delay(DRAIN_MS)).then(() => connection.close());
  const conversation = converse({
    agent: connection.agent,
    connection: connection.signal,
    cwd: scope.cwd,
    prompt: attempt.prompt,
    env,
    onProgress: context.onProgress,
  });

  try {
    const stopCause = await waitForEnd(conversation, watchdog, () => strayLines.head() !== '');
    isEnding = true;
    if (stopCause !== undefined) await cancel(conversation);
    const exit = await exitOf(conversation, agent.exited, stopCause);
    connection.close();
    await terminals.close();
    const ending = await conversation.ended;
    if (ending.kind === 'stopped') applyTurnUsage(ending.response, meter);
    await countExported(found, attempt, conversation);
    throwIfMissing(found, ending, exit, agent.stderr());
    const { limits } = attempt;
    const ended = {
      agent: found.name,
      ending,
      stopCause,
      exit,
      stderr: agent.stderr(),
      otherOutput: strayLines.head(),
      hasActed: log.actions.length > 0,
      durationMs: performance.now() - attempt.startedAt,
      lastMessage: log.lastMessage,
      ...limits,
    };
    return toTrajectory(attempt, outcomeOf(ended), conversation.model());
  } finally {
    await terminals.close();
    await agent.end(END_GRACE_MS);
  }
}

/** Waits for the end of the turn; returns the cause if the attempt has to be stopped before. */
async function waitForEnd(
  conversation: Conversation,
  watchdog: Watchdog,
  printsOther: () => boolean,
): Promise<StopCause | undefined> {
  const timer = new AbortController();
  const initialized = delay(MAX_OTHER_OUTPUT_MS, undefined, { signal: timer.signal }).then(
    () => (conversation.phase() === 'initialize' && printsOther() ? ('silence' as const) : watchdog.expired),
    () => watchdog.expired,
  );
  const ended = conversation.ended.then(() => undefined);
  const stopCause = await Promise.race([ended, watchdog.expired, initialized]);
  timer.abort();
  return stopCause;
}

async function cancel(conversation: Conversation): Promise<void> {
  const isWorking = conversation.phase() === 'prompt';
  void conversation.cancel();
  if (isWorking) await Promise.race([conversation.ended, delay(CANCEL_GRACE_MS)]);
}

/** The exit of the agent if it ended the conversation. */
async function exitOf(
  conversation: Conversation,
  exited: Promise<AgentExit>,
  stopCause: StopCause | undefined,
): Promise<AgentExit | undefined> {
  if (stopCause !== undefined || (await conversation.ended).kind !== 'broken') return undefined;
  return Promise.race([exited, delay(END_GRACE_MS).then(() => undefined)]);
}

/** Replaces the tokens that the protocol reported by those that the agent keeps or prints, where these say more. */
async function countExported(
  { sessionExport, keepsTokens }: ProtocolAgent,
  { meter, scope: { cwd }, env, context: { signal } }: Attempt,
  conversation: Conversation,
): Promise<void> {
  const sessionId = conversation.sessionId();
  if (sessionId === undefined || signal.aborted) return;
  if (sessionExport !== undefined) {
    const tokens = await exportedTokens(sessionExport, { sessionId, cwd, env, signal });
    if (tokens !== undefined) meter.setTotal(tokens);
  }
  const kept = keepsTokens === true ? loggedTokens(sessionId, env) : undefined;
  // Fewer than were reported: the file is of another version, or was cut off.
  if (kept !== undefined && kept.input >= meter.usage().input_tokens) meter.setTotal(kept);
}

function throwIfMissing(
  { call }: ProtocolAgent,
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

interface StrayLines {
  readonly add: MessageListener['onStrayLine'];
  /** The first lines that were not messages. */
  readonly head: () => string;
}

const MAX_STRAY_LINES = 5;

/** Collects the first lines that are not messages, and warns about the first message that is too long. */
function collectStrayLines({ context }: Attempt): StrayLines {
  const lines: string[] = [];
  let warned = false;
  return {
    add({ kind, text }) {
      if (kind === 'text' && lines.length < MAX_STRAY_LINES) lines.push(text);
      if (kind === 'text' || warned) return;
      warned = true;
      context.onWork({ type: 'warning', text: 'A message of the agent was too long and was ignored.' });
    },
    head: () => lines.join('\n'),
  };
}
