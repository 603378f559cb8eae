import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { killTree } from '../../platform/processes/process-tree.ts';
import type { AgentCall } from './find-agent.ts';

/** A running agent and its child processes. */
export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the agent has ended or could not be started. Never rejects. */
  readonly exited: Promise<AgentExit>;
  /** Head and tail of its stderr. */
  stderr(): string;
  /** Waits `graceMs` for the agent to end, then kills it with all its children, also those in other process groups. */
  end(graceMs: number): Promise<void>;
}

export interface AgentExit {
  readonly exitCode: number | null;
  /** For example `SIGKILL`. */
  readonly signal: string | null;
  /** The reason why the agent could not be started. */
  readonly failure?: string;
}

const STDERR_CHARS = 4000;
/** A process blocked in the kernel cannot be killed; the wait for its end is limited. */
const UNKILLABLE_MS = 2000;

/** Starts an agent with open pipes. `env` is the whole environment, `cwd` an absolute path. Never throws. */
export function startAgent(
  call: AgentCall,
  cwd: string,
  env: Readonly<Record<string, string>>,
): AgentProcess {
  const tag = randomUUID();
  const [file, args] = 'shell' in call ? ['/bin/sh', ['-c', call.shell]] : [call.file, call.args];
  const child = spawn(file, args, {
    cwd,
    env: { ...env, RALPH_PROCESS_TAG: tag },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stderr = new BoundedText(STDERR_CHARS);
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.append(text));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  const exited = new Promise<AgentExit>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', ({ message }) => resolve({ exitCode: null, signal: null, failure: message }));
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    stderr: () => stderr.toString().trim(),
    async end(graceMs) {
      child.stdin.end();
      child.stdout.resume();
      await Promise.race([exited, delay(graceMs)]);
      if (child.pid !== undefined) await killTree(child.pid, tag);
      await Promise.race([exited, delay(UNKILLABLE_MS)]);
      await Promise.race([Promise.all([closed(child.stdout), closed(child.stderr)]), delay(graceMs)]);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}

function closed(stream: Readable): Promise<unknown> {
  return stream.closed || stream.readableEnded ? Promise.resolve() : once(stream, 'close').catch(() => {});
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
