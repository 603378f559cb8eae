import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { killTree } from '../../platform/processes/process-tree.ts';
import type { AgentCall } from './find-agent.ts';

/** A running agent and everything that it started. */
export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended, or could not be started. Never rejects. */
  readonly exited: Promise<AgentExit>;
  /** Head and tail of what it wrote to stderr. */
  stderr(): string;
  /** Lets it end by itself for a moment, then ends it and all of its children, wherever they moved to. */
  end(graceMs: number): Promise<void>;
}

export interface AgentExit {
  readonly exitCode: number | null;
  /** `SIGKILL`, `SIGTERM` and the like. */
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly failure?: string;
}

const STDERR_CHARS = 4000;
/** A process that the kernel holds does not end; it is not waited for. */
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
