import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { watchLimits } from '../../platform/processes/limit-watch.ts';
import { killTree } from '../../platform/processes/process-tree.ts';
import { startProgram, type ProgramExit } from '../../platform/processes/start-program.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { AgentCall } from './find-agent.ts';

/** A running agent and its child processes. */
export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the agent has ended, or could not be started. Never rejects. */
  readonly exited: Promise<AgentExit>;
  /** Head and tail of the agent's stderr. */
  stderr(): string;
  /** Closes stdin, waits `graceMs` for the agent to end, then kills it and all of its descendants. */
  end(graceMs: number): Promise<void>;
}

export interface AgentExit extends ProgramExit {
  /** Why the agent could not be started, or the limit for which it was ended. */
  readonly failure?: string;
}

const STDERR_CHARS = 4000;
/** A process blocked in the kernel cannot be killed; the wait for its end is limited. */
const UNKILLABLE_MS = 2000;

export interface AgentStart {
  readonly call: AgentCall;
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: the agent has ralph's own rights. */
  readonly sandbox: Sandbox | undefined;
}

/** Starts an agent with open pipes. Never rejects. */
export async function startAgent({ call, cwd, env, sandbox }: AgentStart): Promise<AgentProcess> {
  const tag = randomUUID();
  const named = 'shell' in call ? { file: '/bin/sh', args: ['-c', call.shell] } : call;
  const plain = { ...named, cwd, env: { ...env, RALPH_PROCESS_TAG: tag } };
  const program = await startProgram({ ...((await sandbox?.enclose(plain)) ?? plain), stdin: 'pipe' });
  if ('failure' in program) return notStarted(program.failure);
  const { pid, stdout } = program;
  let failure: string | undefined;
  const watch =
    sandbox?.bounds &&
    watchLimits(pid, sandbox.bounds, (exceeded) => {
      failure = exceeded;
      void killTree(pid, tag);
    });
  const exited = program.exited.then((exit): AgentExit => {
    watch?.stop();
    return failure === undefined ? exit : { ...exit, failure };
  });
  const stdin = program.stdin!;
  const stderr = new BoundedText(STDERR_CHARS);
  program.stderr.setEncoding('utf8').on('data', (text: string) => stderr.append(text));
  return {
    stdin,
    stdout,
    exited,
    stderr: () => stderr.toString().trim(),
    async end(graceMs) {
      stdin.end();
      stdout.resume();
      await Promise.race([exited, delay(graceMs)]);
      await killTree(pid, tag);
      await Promise.race([exited, delay(UNKILLABLE_MS)]);
      await Promise.race([Promise.all([closed(stdout), closed(program.stderr)]), delay(graceMs)]);
      for (const stream of [stdin, stdout, program.stderr]) stream.destroy();
    },
  };
}

function notStarted(failure: string): AgentProcess {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  stdout.end();
  return {
    stdin,
    stdout,
    exited: Promise.resolve({ exitCode: null, signal: null, failure }),
    stderr: () => '',
    async end() {
      stdin.destroy();
      stdout.destroy();
    },
  };
}

function closed(stream: Readable): Promise<unknown> {
  return stream.closed || stream.readableEnded ? Promise.resolve() : once(stream, 'close').catch(() => {});
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
