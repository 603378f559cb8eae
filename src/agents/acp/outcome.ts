import type { Trajectory } from '../../schema/generated.ts';
import { redact } from '../../platform/redaction/redact.ts';
import type { AgentExit } from './agent-process.ts';
import type { Ending } from './conversation.ts';
import type { Cut } from './watch.ts';

/** What an attempt came to, in the words of a trajectory. */
export type Outcome = Pick<Trajectory, 'outcome' | 'message' | 'fatal'>;

/** Everything that is known when an agent has ended. */
export interface Ended {
  readonly agent: string;
  readonly ending: Ending;
  /** Why it was ended by us; undefined where it ended by itself. */
  readonly cut: Cut | undefined;
  readonly exit: AgentExit | undefined;
  readonly stderr: string;
  readonly lastWords: string;
  readonly timeoutMs: number;
  readonly silenceMs: number;
}

const MAX_CHARS = 7900;
const MAX_OFFER = 1500;
/** A model's API that does not know the key will not know it in the next attempt either. */
const KEY_TROUBLE = /"code":401|unauthenticated|unauthorized|(incorrect|invalid|missing) (x-)?(api[ -])?key/i;

/** Never more than a hint: what counts is what the checks say of the edits. */
export function outcomeOf(ended: Ended): Outcome {
  const { outcome, message, fatal } = judge(ended);
  return {
    outcome,
    message: message.slice(0, MAX_CHARS),
    ...(fatal === undefined ? {} : { fatal: { ...fatal, message: fatal.message.slice(0, MAX_CHARS) } }),
  };
}

function judge(ended: Ended): Outcome {
  const { agent, ending, cut, lastWords } = ended;
  if (cut !== undefined) return cutOutcome(ended, cut);
  if (ending.kind === 'stopped') return stopOutcome(agent, ending.stopReason, lastWords);
  if (ending.kind === 'broken') return diedOutcome(ended, ending.phase);
  const message = `${agent} answered with an error: ${ending.message}`;
  if (ending.signIns !== undefined) return signInOutcome(agent, ending);
  const said = withWords(withStderr(message, ended.stderr), lastWords);
  if (ending.phase !== 'prompt') return fatal(said, byHand(agent));
  if (KEY_TROUBLE.test(ending.message))
    return fatal(said, `Check the API key of ${agent}, or sign in with it.`);
  return { outcome: 'failed', message: said };
}

function cutOutcome(ended: Ended, cut: Cut): Outcome {
  const { agent, ending, timeoutMs, silenceMs } = ended;
  if (ending.kind === 'broken' && ending.phase !== 'prompt' && cut !== 'abort') {
    const asked =
      ending.phase === 'initialize' ? "the protocol's first message" : 'the request for a session';
    const message = withStderr(`${agent} did not answer ${asked}.`, ended.stderr);
    return { ...fatal(message, byHand(agent)), outcome: 'timed_out' };
  }
  const why = {
    time: `it was not done after ${seconds(timeoutMs)}`,
    silence: `nothing was heard of it for ${seconds(silenceMs)}`,
    abort: 'the loop is out of time or was interrupted',
  }[cut];
  return { outcome: 'timed_out', message: withWords(`${agent} was stopped: ${why}.`, ended.lastWords) };
}

function stopOutcome(agent: string, stopReason: string, lastWords: string): Outcome {
  const known: Readonly<Record<string, readonly [Trajectory['outcome'], string]>> = {
    end_turn: ['claimed_done', 'says it is done'],
    max_tokens: ['gave_up', 'stopped at its token limit'],
    max_turn_requests: ['gave_up', 'stopped at its limit of model calls'],
    refusal: ['gave_up', 'refused to go on'],
    cancelled: ['timed_out', 'was cancelled'],
  };
  const [outcome, words] = known[stopReason] ?? ['gave_up', `stopped: ${stopReason.slice(0, 100)}`];
  if (outcome === 'claimed_done' && lastWords !== '') return { outcome, message: lastWords };
  return { outcome, message: withWords(`${agent} ${words}.`, lastWords) };
}

function diedOutcome(ended: Ended, phase: 'initialize' | 'session' | 'prompt'): Outcome {
  const { agent, exit, stderr, lastWords } = ended;
  const how =
    exit?.failure ??
    (exit === undefined
      ? 'closed its output'
      : exit.exitCode === null
        ? `ended by ${exit.signal ?? 'a signal'}`
        : `ended with exit code ${exit.exitCode}`);
  if (phase === 'prompt') {
    const message = `${agent} broke off in the middle of its work: ${how}.`;
    return { outcome: 'failed', message: withWords(withStderr(message, stderr), lastWords) };
  }
  return fatal(
    withStderr(`${agent} could not be used: ${how} before it took the task.`, stderr),
    byHand(agent),
  );
}

function signInOutcome(
  agent: string,
  { message, signIns = [] }: Extract<Ending, { kind: 'refused' }>,
): Outcome {
  const ways = signIns.map(({ name }) => name).join(', ');
  const offer = ways === '' ? '' : ` It offers: ${ways.slice(0, MAX_OFFER)}.`;
  return fatal(
    `${agent} wants to be signed in: ${message}`,
    `Start ${agent} by itself and sign in once, or set its API key.${offer}`,
  );
}

function fatal(message: string, hint: string): Outcome {
  return { outcome: 'failed', message, fatal: { message, hint } };
}

function byHand(agent: string): string {
  return `Start ${agent} by hand to see what it says. It must speak the Agent Client Protocol on stdin and stdout.`;
}

function withStderr(message: string, stderr: string): string {
  return stderr === '' ? message : `${message}\nIt wrote: ${redact(stderr).slice(-2000)}`;
}

function withWords(message: string, lastWords: string): string {
  return lastWords === '' ? message : `${message}\nIts last words: ${lastWords}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
