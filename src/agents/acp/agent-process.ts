import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { killTree } from '../../platform/processes/process-tree.ts';
import { startProgram, type ProgramExit } from '../../platform/processes/start-program.ts';
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
  /** Why the agent could not be started. */
  readonly failure?: string;
}

const STDERR_CHARS = 4000;
/** A process blocked in the kernel cannot be killed; the wait for its end is limited. */
const UNKILLABLE_MS = 2000;

/** Starts an agent with open pipes. `env` is the whole environment, `cwd` an absolute path. Never rejects. */
export async function startAgent(
  call: AgentCall,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<AgentProcess> {
  const tag = randomUUID();
  const program = await startProgram({
    file: 'shell' in call ? '/bin/sh' : call.file,
    args: 'shell' in call ? ['-c', call.shell] : call.args,
    cwd,
    env: { ...env, RALPH_PROCESS_TAG: tag },
    stdin: 'pipe',
  });
  if ('failure' in program) return notStarted(program.failure);
  const { pid, stdout, exited } = program;
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
