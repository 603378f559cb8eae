import type { Trajectory } from '../../schema/generated.ts';
import { redact } from '../../platform/redaction/redact.ts';
import type { AgentExit } from './agent-process.ts';
import type { Ending } from './conversation.ts';
import type { StopCause } from './watchdog.ts';

/** The outcome of an attempt in the terms of a trajectory. */
export type Outcome = Pick<Trajectory, 'outcome' | 'message' | 'fatal'>;

/** The facts about an agent that has ended. */
export interface Ended {
  readonly agent: string;
  readonly ending: Ending;
  /** The reason why ralph stopped the agent; undefined if it ended by itself. */
  readonly stopCause: StopCause | undefined;
  readonly exit: AgentExit | undefined;
  readonly stderr: string;
  /** The first lines on stdout that are no messages of the protocol. */
  readonly otherOutput?: string | undefined;
  /** Whether the agent did anything beside its last message. */
  readonly hasActed: boolean;
  /** How long the attempt took. */
  readonly durationMs: number;
  readonly lastMessage: string;
  /** The agent's own words on what it waited for last. */
  readonly waitsFor?: string | undefined;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly timeoutOption?: string | undefined;
}

const MAX_CHARS = 7900;
const MAX_SIGN_INS = 1500;
/** Messages about a rejected key, which the next attempt would repeat. */
const KEY_ERROR = /"code":401|unauthenticated|unauthorized|(incorrect|invalid|missing) (x-)?(api[ -])?key/i;

/** The outcome of an attempt; only a hint, since the checks judge the edits. */
export function outcomeOf(ended: Ended): Outcome {
  const { outcome, message, fatal } = judge(ended);
  return {
    outcome,
    message: message.slice(0, MAX_CHARS),
    fatal: fatal && { ...fatal, message: fatal.message.slice(0, MAX_CHARS) },
  };
}

function judge(ended: Ended): Outcome {
  const { agent, ending, stopCause, lastMessage } = ended;
  if (stopCause !== undefined) return stoppedOutcome(ended, stopCause);
  if (ending.kind === 'stopped') return turnOutcome(agent, ending.stopReason, lastMessage);
  if (ending.kind === 'broken') return diedOutcome(ended, ending.phase);
  const message = `${agent} answered with an error: ${ending.message}`;
  if (ending.signIns !== undefined) return signInOutcome(agent, ending);
  const details = withLastMessage(withOutput(message, ended), lastMessage);
  if (ending.phase !== 'prompt') return fatal(details, checkByHand(agent));
  if (KEY_ERROR.test(ending.message))
    return fatal(details, `Check the API key of ${agent}, or sign in with it.`);
  return failedAtWork(ended, details);
}

/** As for a model that answered no call at all, no further attempt is made after an agent that failed before it did anything. */
function failedAtWork({ agent, hasActed, lastMessage }: Ended, message: string): Outcome {
  if (hasActed || lastMessage !== '') return { outcome: 'failed', message };
  return fatal(message, `Start ${agent} in a terminal to see whether it reaches its model.`);
}

function stoppedOutcome(ended: Ended, stopCause: StopCause): Outcome {
  const { agent, ending, timeoutMs, silenceMs, waitsFor } = ended;
  if (ending.kind === 'broken' && ending.phase !== 'prompt' && stopCause !== 'abort') {
    const request =
      ending.phase === 'initialize' ? "the protocol's first message" : 'the request for a session';
    const waited = `within ${seconds(ended.durationMs)}${stopCause === 'time' ? optionOf(ended) : ''}`;
    const message = withOutput(`${agent} did not answer ${request} ${waited}.`, ended);
    return { ...fatal(message, checkByHand(agent)), outcome: 'timed_out' };
  }
  const why = {
    time: `it was not finished after ${seconds(timeoutMs)}${optionOf(ended)}`,
    silence:
      waitsFor === undefined
        ? `it sent nothing for ${seconds(silenceMs)}`
        : `it did nothing for ${seconds(silenceMs)} and said: ${redact(waitsFor)}`,
    abort: 'the loop ran out of time or was interrupted',
  }[stopCause];
  return {
    outcome: 'timed_out',
    message: withLastMessage(`${agent} was stopped: ${why}.`, ended.lastMessage),
  };
}

function turnOutcome(agent: string, stopReason: string, lastMessage: string): Outcome {
  const known: Readonly<Record<string, readonly [Trajectory['outcome'], string]>> = {
    end_turn: ['claimed_done', 'says it is done'],
    max_tokens: ['gave_up', 'stopped at its token limit'],
    max_turn_requests: ['gave_up', 'stopped at its limit of model calls'],
    refusal: ['gave_up', 'refused to continue'],
    cancelled: ['timed_out', 'was cancelled'],
  };
  const [outcome, words] = known[stopReason] ?? ['gave_up', `stopped: ${stopReason.slice(0, 100)}`];
  if (outcome === 'claimed_done' && lastMessage !== '') return { outcome, message: lastMessage };
  return { outcome, message: withLastMessage(`${agent} ${words}.`, lastMessage) };
}

function diedOutcome(ended: Ended, phase: 'initialize' | 'session' | 'prompt'): Outcome {
  const { agent, exit, lastMessage } = ended;
  const how =
    exit?.failure ??
    (exit === undefined
      ? 'closed its output'
      : exit.exitCode === null
        ? `ended by ${exit.signal ?? 'a signal'}`
        : `ended with exit code ${exit.exitCode}`);
  if (phase === 'prompt') {
    const message = `${agent} ended unexpectedly: ${how}.`;
    return failedAtWork(ended, withLastMessage(withOutput(message, ended), lastMessage));
  }
  return fatal(withOutput(`${agent} failed before it accepted the task: ${how}.`, ended), checkByHand(agent));
}

function signInOutcome(
  agent: string,
  { message, signIns = [] }: Extract<Ending, { kind: 'refused' }>,
): Outcome {
  const ways = signIns.map(({ name }) => name).join(', ');
  const offer = ways === '' ? '' : ` Available sign-ins: ${ways.slice(0, MAX_SIGN_INS)}.`;
  return fatal(
    `${agent} requires signing in: ${message}`,
    `Start ${agent} in a terminal and sign in once, or set its API key.${offer}`,
  );
}

function fatal(message: string, hint: string): Outcome {
  return { outcome: 'failed', message, fatal: { message, hint } };
}

function checkByHand(agent: string): string {
  return `Start ${agent} in a terminal to see its messages. It must speak the Agent Client Protocol on stdin and stdout.`;
}

function withOutput(message: string, { stderr, otherOutput = '' }: Ended): string {
  const last = (text: string): string => redact(text).slice(-2000);
  const other = otherOutput === '' ? '' : `\nIts output is no message of the protocol: ${last(otherOutput)}`;
  return `${message}${stderr === '' ? '' : `\nIts stderr: ${last(stderr)}`}${other}`;
}

function optionOf({ timeoutOption }: Ended): string {
  return timeoutOption === undefined ? '' : ` (${timeoutOption})`;
}

function withLastMessage(message: string, lastMessage: string): string {
  return lastMessage === '' ? message : `${message}\nIts last message: ${lastMessage}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
