import type { Trajectory } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { startAgent, type AgentExit } from './agent-process.ts';
import type { HeadlessFormat } from './agents.ts';
import { toTrajectory, type Attempt } from './attempt.ts';
import type { Ending } from './conversation.ts';
import type { AgentCall } from './find-agent.ts';
import { HEADLESS_READERS, type HeadlessResult } from './headless-formats.ts';
import { outcomeOf } from './outcome.ts';
import { readLines } from './read-lines.ts';
import { fieldsOf } from './tool-call.ts';

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const END_GRACE_MS = 500;

/** Agents that take the prompt as their last argument; the others read it on stdin. */
const BY_ARGUMENT: readonly HeadlessFormat[] = ['cline'];
/** Linux accepts one argument of 128 KiB. */
const MAX_ARGUMENT_BYTES = 120_000;

/** Runs one attempt of an agent that gets the prompt on stdin, or as an argument, and prints one JSON value per line. */
export async function attemptHeadless(
  { call, format }: { readonly call: AgentCall; readonly format: HeadlessFormat },
  attempt: Attempt,
): Promise<Trajectory> {
  const { log, watchdog, scope, env, limits, confined } = attempt;
  const isArgument = BY_ARGUMENT.includes(format);
  const agent = await startAgent({
    call: isArgument ? withPrompt(call, attempt.prompt) : call,
    cwd: scope.cwd,
    env,
    sandbox: confined?.sandbox,
  });
  agent.stdin.end(isArgument ? '' : attempt.prompt);
  const result: HeadlessResult = { failure: undefined, stopReason: undefined };
  const read = HEADLESS_READERS[format];
  const readOutput = async (): Promise<void> => {
    for await (const line of readLines(agent.stdout, MAX_LINE_BYTES)) {
      read(fieldsOf(parse(line)), { log, meter: attempt.meter, result });
      // An agent that says again and again what it waits for does not work.
      if (result.waitsFor === undefined) watchdog.reset();
    }
  };
  try {
    const reading = readOutput();
    const ended = Promise.all([agent.exited, Promise.race([reading, afterExit(agent.exited)])]);
    const first = await Promise.race([ended.then(([exit]) => exit), watchdog.expired]);
    const [stopCause, exit] = typeof first === 'string' ? [first, undefined] : [undefined, first];
    const ending = endingOf(result, exit);
    const stderr = agent.stderr();
    return toTrajectory(
      attempt,
      outcomeOf({
        agent: attempt.agent,
        ending,
        stopCause,
        exit,
        stderr,
        lastMessage: log.lastMessage,
        waitsFor: result.waitsFor,
        hasActed: log.actions.length > 0,
        durationMs: performance.now() - attempt.startedAt,
        ...limits,
      }),
    );
  } finally {
    await agent.end(END_GRACE_MS);
  }
}

/** The call with the prompt as its last argument, cut in the middle if it is too long for one. */
function withPrompt(call: AgentCall, prompt: string): AgentCall {
  if ('shell' in call) return call;
  const bytes = Buffer.byteLength(prompt);
  const share = MAX_ARGUMENT_BYTES / bytes;
  const text = share >= 1 ? prompt : boundText(prompt, Math.floor(prompt.length * share * 0.9));
  return { ...call, args: [...call.args, text] };
}

/** Limits the wait for output after the exit, since a child process may hold the pipe open. */
async function afterExit(exited: Promise<AgentExit>): Promise<void> {
  await exited;
  await new Promise((resolve) => setTimeout(resolve, END_GRACE_MS));
}

function endingOf({ failure, stopReason }: HeadlessResult, exit: AgentExit | undefined): Ending {
  if (failure !== undefined) return { kind: 'refused', phase: 'prompt', message: failure };
  if (stopReason !== undefined) return { kind: 'stopped', stopReason, response: undefined };
  if (exit?.exitCode === 0) return { kind: 'stopped', stopReason: 'end_turn', response: undefined };
  return { kind: 'broken', phase: 'prompt' };
}

function parse(line: string | undefined): unknown {
  try {
    return parseBoundedJson(line ?? '');
  } catch {
    return undefined;
  }
}
