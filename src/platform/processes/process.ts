import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../../errors.ts';
import { BoundedOutput } from './bounded-output.ts';
import { killTree, processesWith } from './process-tree.ts';
import type { ProgramCall, Sandbox } from '../sandbox/sandbox.ts';

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
  /** Bytes of each stream that are kept, half from its head and half from its tail. */
  readonly keepBytes?: number;
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
  /** Children that outlive the program are killed when it ends. Default true. */
  readonly reap?: boolean;
  /** What the program is confined to; without it, it has ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
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

const DEFAULT_KEEP_BYTES = 32_000;
/** No report is printed there. */
const MOST_ERROR_BYTES = 400_000;
const DRAIN_MS = 250;
/** Texts of this size die young: longer ones fill the memory until all of it is looked through. */
const PIECE_BYTES = 16 * 1024;

/**
 * Runs a program to its end, its time-out or the abort, and leaves no child of it behind: the process group
 * and every process that carries this call's tag in its environment die with it. Never rejects.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const started = performance.now();
  const tag = randomUUID();
  const stdout = new BoundedOutput(request.keepBytes ?? DEFAULT_KEEP_BYTES);
  const stderr = new BoundedOutput(Math.min(request.keepBytes ?? DEFAULT_KEEP_BYTES, MOST_ERROR_BYTES));
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

  const child = start(await programOf(request), request.input, tag);
  if (typeof child === 'string') return end({ failure: child });
  listen(child.stdout, stdout, request.onOutput);
  listen(child.stderr, stderr, request.onOutput);
  child.stdin?.on('error', () => {});
  child.stdin?.end(request.input);
  if (child.pid === undefined) return end({ failure: await failureOf(child) });

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
  if (request.signal?.aborted) onAbort();

  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('exit', (code, name) => resolve([code, name]));
    child.once('error', () => resolve([null, null]));
  });
  clearTimeout(timer);
  request.signal?.removeEventListener('abort', onAbort);

  const drained = Promise.all([finished(child.stdout), finished(child.stderr)]);
  const slow = !(await settlesWithin(drained, DRAIN_MS));
  const reap = request.reap ?? true;
  // With its first process, all of a sandbox has ended.
  const isLeft = (): boolean => request.sandbox === undefined && processesWith(tag).length > 0;
  if (reap && (slow || timedOut || aborted || isLeft())) await kill();
  if (slow) await settlesWithin(drained, DRAIN_MS);
  child.stdout?.destroy();
  child.stderr?.destroy();
  const failure = request.sandbox?.failureIn({ exitCode, stderr: stderr.toString() });
  if (failure !== undefined) return end({ failure, timedOut, aborted });
  return end({ ...endOf(request, exitCode, signal), timedOut, aborted });
}

async function programOf({ file, args, shell, cwd, env, sandbox }: ProcessRequest): Promise<ProgramCall> {
  const program =
    shell === undefined ? { file: file!, args: args ?? [] } : { file: '/bin/sh', args: ['-c', shell] };
  const call = { ...program, cwd, env };
  return sandbox === undefined ? call : sandbox.enclose(call);
}

const SIGNAL_EXIT = 128;

/** What runs confined is a child of the sandbox's, which tells a signal as a shell does: 128 + its number. */
function endOf(
  { sandbox }: ProcessRequest,
  exitCode: number | null,
  signal: string | null,
): Pick<ProcessOutcome, 'exitCode' | 'signal'> {
  if (sandbox === undefined || exitCode === null) return { exitCode, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - SIGNAL_EXIT)?.[0];
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

/** The program, or why it could not even be asked for: a NUL in an argument, too many of them. */
function start(
  { file, args, cwd, env }: ProgramCall,
  input: string | undefined,
  tag: string,
): ChildProcess | string {
  try {
    return spawn(file, args, {
      cwd,
      env: { ...env, RALPH_PROCESS_TAG: tag },
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return messageOf(error);
  }
}

function failureOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once('error', ({ message }) => resolve(message)));
}

function listen(
  stream: NodeJS.ReadableStream | null,
  into: BoundedOutput,
  onOutput: ProcessRequest['onOutput'],
): void {
  stream?.on('data', (bytes: Buffer) => into.append(bytes));
  stream?.on('error', () => {});
  if (onOutput === undefined) return;
  const decoder = new StringDecoder();
  stream?.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      onOutput(decoder.write(bytes.subarray(at, at + PIECE_BYTES)));
  });
  stream?.on('end', () => onOutput(decoder.end()));
}

function finished(stream: NodeJS.ReadableStream | null): Promise<void> {
  return new Promise((resolve) => {
    if (stream === null || (stream as unknown as { readableEnded: boolean }).readableEnded) return resolve();
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

/** True where it settled in time. No timer is left behind: one would keep ralph itself from ending. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
