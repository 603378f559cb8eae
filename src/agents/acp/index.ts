import type { Actor } from '../../ports.ts';
import type { AgentConfinement, Price, Trajectory } from '../../schema/generated.ts';
import { agentPrompt } from '../agent-prompt.ts';
import type { AgentRequest, Attempt } from './attempt.ts';
import { describeNewSettings } from './confine.ts';
import { findAgent, type FoundAgent, type HeadlessAgent, type ProtocolAgent } from './find-agent.ts';

export interface AgentActorOptions {
  /** A known name, such as `opencode`, or a command line of a program that speaks the Agent Client Protocol. */
  readonly agent: string;
  /** The time limit of one attempt. */
  readonly timeoutMs: number;
  /** The longest time without output of the agent or its commands. */
  readonly silenceMs: number;
  /** The longest time until its first output. Default: `silenceMs`. */
  readonly startMs?: number;
  /** The option that sets `timeoutMs`, for messages; absent if the user cannot set it. */
  readonly timeoutOption?: string;
  /** USD per million tokens by `provider/model`, for agents that report tokens and a model but no cost. */
  readonly prices?: Readonly<Record<string, Price>>;
  readonly confinement: AgentConfinement;
}

/**
 * The actor for an external coding agent, over the Agent Client Protocol or in the agent's headless mode. Each attempt
 * starts a process, which is ended with all its children; its edits stay in the tree. Throws RalphError if the agent is
 * not installed. The protocol's library is loaded by the first attempt.
 */
export function createAgentActor(options: AgentActorOptions): Actor {
  const found = findAgent(options.agent);
  return {
    name: 'acp',
    async attempt(context) {
      return runSession(found, { ...context, prompt: await agentPrompt(context) }, options);
    },
  };
}

/** One session of an agent with a prompt of its own; its edits stay in the tree. */
export type AskAgent = (request: AgentRequest) => Promise<Trajectory>;

/** Creates sessions of an agent that are not attempts. Throws RalphError if the agent is not installed. */
export function createAgentSessions(options: AgentActorOptions): AskAgent {
  const found = findAgent(options.agent);
  return (request) => runSession(found, request, options);
}

/** Agents by how they are started: once the protocol has failed before a task, the headless mode is used at once. */
const unusable = new WeakSet<ProtocolAgent>();

async function runSession(
  found: FoundAgent,
  request: AgentRequest,
  options: AgentActorOptions,
): Promise<Trajectory> {
  if (found.speaks !== 'protocol') return runHeadless(found, request, options);
  const { fallback } = found;
  if (fallback !== undefined && unusable.has(found)) return runHeadless(fallback, request, options);
  const trajectory = await runByProtocol(found, request, options);
  // A fatal end is one before the agent took the task, or one that no further attempt can change.
  if (trajectory.fatal === undefined || trajectory.actions.length > 0 || fallback === undefined)
    return trajectory;
  unusable.add(found);
  request.onWork({
    type: 'warning',
    text: `${found.name} cannot be used by its protocol, so its headless mode is used: ${firstLine(trajectory.fatal.message)}`,
  });
  const second = await runHeadless(fallback, request, options);
  return hasFailed(second) ? bothFailed(trajectory, second) : second;
}

function hasFailed({ outcome, actions }: Trajectory): boolean {
  return (outcome === 'failed' || outcome === 'timed_out') && actions.length === 0;
}

/** The headless mode failed too: what the protocol said, such as a missing sign-in, is told first, and no attempt is made again. */
function bothFailed({ fatal }: Trajectory, second: Trajectory): Trajectory {
  const message = `${fatal!.message}\nIn its headless mode: ${second.fatal?.message ?? second.message}`.slice(
    0,
    7900,
  );
  return { ...second, message, fatal: { message, hint: second.fatal?.hint ?? fatal!.hint } };
}

async function runByProtocol(
  found: ProtocolAgent,
  request: AgentRequest,
  options: AgentActorOptions,
): Promise<Trajectory> {
  const { createAttempt } = await import('./attempt.ts');
  const { attemptByProtocol } = await import('./protocol-attempt.ts');
  const attempt = createAttempt(found.name, request, options);
  try {
    return await attemptByProtocol(found, attempt);
  } finally {
    attempt.watchdog.stop();
    warnOfSettings(attempt);
  }
}

async function runHeadless(
  { name, call, speaks }: HeadlessAgent,
  request: AgentRequest,
  options: AgentActorOptions,
): Promise<Trajectory> {
  const { createAttempt } = await import('./attempt.ts');
  const { attemptHeadless } = await import('./headless-attempt.ts');
  const attempt = createAttempt(name, request, options);
  try {
    return await attemptHeadless({ call, format: speaks }, attempt);
  } finally {
    attempt.watchdog.stop();
    warnOfSettings(attempt);
  }
}

function warnOfSettings({ agent, confined, context }: Attempt): void {
  const text = confined && describeNewSettings(agent, confined);
  if (text !== undefined) context.onWork({ type: 'warning', text });
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 500);
}
