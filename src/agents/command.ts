import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import type { Actor } from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import type { Trajectory } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../platform/files/temporary-folder.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import { redact } from '../platform/redaction/redact.ts';
import { followLastLine } from '../platform/redaction/last-line.ts';
import { runProcess, type ProcessOutcome } from '../platform/processes/process.ts';
import { stopReason } from '../platform/text/stop-reason.ts';
import { agentPrompt } from './agent-prompt.ts';

const SHELL_NOT_EXECUTABLE = 126;
const SHELL_NOT_FOUND = 127;
const MESSAGE_CHARS = 4000;

export interface CommandActorOptions {
  /** Command line for `sh -c`. */
  readonly command: string;
  /** The time limit of one attempt; the program and its children are ended then, and their edits count. */
  readonly timeoutMs: number;
}

/**
 * Any program as an actor. It runs in the workspace and gets the prompt on stdin and in the file RALPH_PROMPT_FILE, and
 * the variables RALPH_LOOP_ID and RALPH_ITERATION, with --samples also RALPH_SAMPLE; its result are its edits. Exit code 0 means that it claims to be
 * done, which is only a hint. An attempt rejects with RalphError if the shell cannot start the program.
 */
export function createCommandActor(options: CommandActorOptions): Actor {
  return {
    name: 'command',
    async attempt(context) {
      const folder = makeTemporaryFolder('prompt');
      try {
        const outcome = await runCommand(options, folder, context);
        throwIfMissing(options.command, outcome);
        return toTrajectory(options, outcome, context.signal);
      } finally {
        removeTemporaryFolder(folder);
      }
    },
  };
}

async function runCommand(
  { command, timeoutMs }: CommandActorOptions,
  folder: string,
  context: AttemptContext,
): Promise<ProcessOutcome> {
  const prompt = await agentPrompt(context);
  const promptFile = join(folder, 'prompt.md');
  await writeFile(promptFile, prompt, { mode: 0o600 });
  const cwd = join(context.root, context.project.packageDir);
  const own = {
    RALPH_PROMPT_FILE: promptFile,
    RALPH_LOOP_ID: context.loopId,
    RALPH_ITERATION: String(context.iteration),
    ...(context.sample === undefined ? {} : { RALPH_SAMPLE: String(context.sample) }),
  };
  return runProcess({
    shell: command,
    cwd,
    env: childEnvironment(own, cwd),
    input: prompt,
    sandbox: context.sandbox?.allowing({ read: [folder] }),
    timeoutMs,
    signal: context.signal,
    onOutput: followLastLine((line) => context.onProgress(line.slice(0, 200))),
  });
}

function throwIfMissing(command: string, { exitCode, stderr }: ProcessOutcome): void {
  if (exitCode !== SHELL_NOT_FOUND && exitCode !== SHELL_NOT_EXECUTABLE) return;
  throw new RalphError(
    `The actor's command could not be started: ${command}\n${boundText(stderr.trim(), 500)}`,
    {
      code: 'actor_failed',
      exitCode: ExitCode.actor,
      hint: 'Check the program name and PATH, or set another one with --command "…".',
    },
  );
}

function toTrajectory(
  options: CommandActorOptions,
  outcome: ProcessOutcome,
  signal: AbortSignal,
): Trajectory {
  const output = boundText(redact(outcome.stdout.trim() || outcome.stderr.trim()), MESSAGE_CHARS);
  const { command } = options;
  const limit = limitOf(options, outcome);
  const ending = endingOf({ ...outcome, limit }, signal);
  return {
    actor: 'command',
    actions: [{ type: 'command_execution', description: `Ran the actor's command: ${ending}.`, command }],
    rationale: output,
    strategy: 'external program',
    outcome:
      outcome.timedOut || outcome.aborted ? 'timed_out' : outcome.exitCode === 0 ? 'claimed_done' : 'failed',
    message: messageOf(output, ending, limit),
    usage: NO_USAGE,
    ruled_out: { tried: 0, edits: [] },
    duration_ms: outcome.durationMs,
  };
}

/** The limit for which the program was ended, as the end of a sentence; undefined if it was not. */
function limitOf(
  { timeoutMs }: CommandActorOptions,
  { limit, timedOut }: ProcessOutcome,
): string | undefined {
  if (limit !== undefined || !timedOut) return limit;
  return `it was not finished after ${renderDuration(timeoutMs)} (--agent-timeout DURATION changes it)`;
}

function messageOf(output: string, ending: string, limit: string | undefined): string {
  if (limit !== undefined) return `The command was ended: ${limit}.\n${output}`.trimEnd();
  return output === '' ? `The command ended with ${ending}.` : output;
}

function endingOf(
  {
    exitCode,
    signal,
    aborted,
    limit,
  }: Pick<ProcessOutcome, 'exitCode' | 'signal' | 'aborted'> & { readonly limit: string | undefined },
  stop: AbortSignal,
): string {
  if (limit !== undefined) return `ended by ralph, ${limit}`;
  if (aborted) return `stopped, ${stopReason(stop)}`;
  return exitCode === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`;
}
