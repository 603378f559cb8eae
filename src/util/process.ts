import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import { BoundedText } from './bounded-text.ts';
import { killTree, processesWith } from './process-tree.ts';

export interface ProcessRequest {
  /** Program and arguments, or `shell` for a command line that `sh -c` runs. */
  readonly file?: string;
  readonly args?: readonly string[];
  readonly shell?: string;
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Characters of each stream that are kept, half from its head and half from its tail. */
  readonly keepChars?: number;
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
  /** Children that outlive the program are killed when it ends. Default true. */
  readonly reap?: boolean;
}

/** How a program ended. A program that could not be started has `failure` and no exit code. */
export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly failure?: string;
  readonly durationMs: number;
}

const DEFAULT_KEEP_CHARS = 32_000;
const DRAIN_MS = 250;

/**
 * Runs a program to its end, its time-out or the abort, and leaves no child of it behind: the process group
 * and every process that carries this call's tag in its environment die with it. Never rejects.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const started = performance.now();
  const tag = randomUUID();
  const stdout = new BoundedText(request.keepChars ?? DEFAULT_KEEP_CHARS);
  const stderr = new BoundedText(request.keepChars ?? DEFAULT_KEEP_CHARS);
  const end = (rest: Partial<ProcessOutcome>): ProcessOutcome => ({
    exitCode: null,
    signal: null,
    timedOut: false,
    aborted: false,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    durationMs: Math.round(performance.now() - started),
    ...rest,
  });
  if (request.signal?.aborted) return end({ aborted: true });

  const [file, args] =
    request.shell === undefined ? [request.file!, request.args ?? []] : ['/bin/sh', ['-c', request.shell]];
  const child = execa(file, [...args], {
    cwd: request.cwd,
    env: { ...request.env, RALPH_PROCESS_TAG: tag },
    extendEnv: false,
    detached: true,
    cleanup: true,
    reject: false,
    buffer: false,
    stdin: request.input === undefined ? 'ignore' : 'pipe',
  });
  child.catch(() => {});
  const listen = (stream: NodeJS.ReadableStream | null, into: BoundedText): void => {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => {
      into.append(text);
      request.onOutput?.(text);
    });
    stream?.on('error', () => {});
  };
  listen(child.stdout, stdout);
  listen(child.stderr, stderr);
  if (request.input !== undefined) {
    child.stdin?.on('error', () => {});
    child.stdin?.end(request.input);
  }
  if (child.pid === undefined) {
    const result = await child;
    return end({ failure: result.shortMessage ?? 'could not be started' });
  }

  const { pid } = child;
  let timedOut = false;
  let aborted = false;
  const kill = (): Promise<void> => killTree(pid, tag);
  const timer =
    request.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          void kill();
        }, request.timeoutMs);
  const onAbort = (): void => {
    aborted = true;
    void kill();
  };
  request.signal?.addEventListener('abort', onAbort, { once: true });

  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('exit', (code, name) => resolve([code, name]));
    child.once('error', () => resolve([null, null]));
  });
  clearTimeout(timer);
  request.signal?.removeEventListener('abort', onAbort);

  const drained = Promise.all([finished(child.stdout), finished(child.stderr)]);
  const slow = await Promise.race([drained.then(() => false), delay(DRAIN_MS).then(() => true)]);
  const reap = request.reap ?? true;
  if (reap && (slow || timedOut || aborted || processesWith(tag).length > 0)) await kill();
  if (slow) await Promise.race([drained, delay(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return end({ exitCode, signal, timedOut, aborted });
}

function finished(stream: NodeJS.ReadableStream | null): Promise<void> {
  return new Promise((resolve) => {
    if (stream === null || (stream as unknown as { readableEnded: boolean }).readableEnded) return resolve();
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
