import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { BoundedOutput } from './bounded-output.ts';
import { renderBytes } from '../text/bytes.ts';
import { watchLimits } from './limit-watch.ts';
import { killTree, processesWith } from './process-tree.ts';
import { startProgram } from './start-program.ts';
import type { ProgramCall, Sandbox } from '../sandbox/sandbox.ts';

export interface ProcessRequest {
  /** Absolute path, or a name on the PATH. Either `file` with `args`, or `shell`. */
  readonly file?: string;
  readonly args?: readonly string[];
  /** Command line for `sh -c`. */
  readonly shell?: string;
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Bytes of stdout and of stderr that are kept, half from the head and half from the tail. Default 32,000. */
  readonly keepBytes?: number;
  /** Called with each piece of stdout and stderr as it arrives. */
  readonly onOutput?: (text: string) => void;
  /** Kills children that are still running when the program ends. Default true. */
  readonly reap?: boolean;
  /**
   * Absolute real path of a folder that only this program works in. The program's processes are then found by it, and
   * the program gets no variable of ralph's.
   */
  readonly ownFolder?: string | undefined;
  /** Restricts what the program can read, write and connect to; undefined: it has ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
}

/** How a program ended. If it could not be started, `failure` is set and there is no exit code. */
export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly failure?: string;
  /** The limit that the program exceeded, for which it was ended, as the end of a sentence. */
  readonly limit?: string;
  readonly durationMs: number;
  /** True if the middle of what it printed is left out. */
  readonly isCut?: boolean;
  /** True if a program asked for the network in a sandbox without one. */
  readonly askedNetwork?: boolean;
}

const DEFAULT_KEEP_BYTES = 32_000;
/** Reports of test runners go to stdout, so stderr needs less room. */
const MAX_ERROR_BYTES = 400_000;
const DRAIN_MS = 250;
/** Larger strings survive until a full garbage collection. */
const PIECE_BYTES = 16 * 1024;

/** A sandbox cannot be started if a place that it hides is removed at that moment. */
const STARTS = 3;

/**
 * Runs a program until it ends, times out or is aborted, and leaves no child of it running: its process group and every
 * process that has this call's tag in its environment, or works in its own folder, are killed. Never rejects.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  for (let starts = 1; ; starts++) {
    const outcome = await runOnce(request);
    const isRefused = outcome.failure !== undefined && request.sandbox !== undefined;
    if (!isRefused || outcome.aborted || outcome.timedOut || starts === STARTS) return outcome;
  }
}

async function runOnce(request: ProcessRequest): Promise<ProcessOutcome> {
  const started = performance.now();
  const tag = request.ownFolder ?? randomUUID();
  const stdout = new BoundedOutput(request.keepBytes ?? DEFAULT_KEEP_BYTES);
  const stderr = new BoundedOutput(Math.min(request.keepBytes ?? DEFAULT_KEEP_BYTES, MAX_ERROR_BYTES));
  const end = (rest: Partial<ProcessOutcome>): ProcessOutcome => ({
    exitCode: null,
    signal: null,
    timedOut: false,
    aborted: false,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    ...(stdout.isCut || stderr.isCut ? { isCut: true } : {}),
    durationMs: Math.round(performance.now() - started),
    ...rest,
  });
  if (request.signal?.aborted) return end({ aborted: true });

  const call = await programOf(request);
  const program = await startProgram({
    ...call,
    env: request.ownFolder === undefined ? { ...call.env, RALPH_PROCESS_TAG: tag } : call.env,
    stdin: request.input === undefined ? 'ignore' : 'pipe',
  });
  if ('failure' in program) return end({ failure: program.failure });
  collect(program.stdout, stdout, request.onOutput);
  collect(program.stderr, stderr, request.onOutput);
  program.stdin?.end(request.input);

  let timedOut = false;
  let aborted = false;
  /** Settles when every kill that was begun has ended: the next program in the same folder must not meet one. */
  let killing: Promise<unknown> = Promise.resolve();
  const kill = (): Promise<unknown> => (killing = Promise.all([killing, killTree(program.pid, tag)]));
  let limit: string | undefined;
  const bounds = request.sandbox?.bounds;
  const watch =
    bounds &&
    watchLimits(program.pid, bounds, (exceeded) => {
      limit = exceeded;
      void kill();
    });
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

  const { exitCode, signal, askedNetwork } = await program.exited;
  clearTimeout(timer);
  watch?.stop();
  request.signal?.removeEventListener('abort', onAbort);

  const drained = Promise.all([finished(program.stdout), finished(program.stderr)]);
  const slow = !(await settlesWithin(drained, DRAIN_MS));
  const reap = request.reap ?? true;
  // A sandbox ends all of its processes when the first one ends.
  const isLeft = (): boolean => request.sandbox === undefined && processesWith(tag).length > 0;
  if (reap && (slow || timedOut || aborted || limit !== undefined || isLeft())) void kill();
  await killing;
  if (slow) await settlesWithin(drained, DRAIN_MS);
  program.stdout.destroy();
  program.stderr.destroy();
  const failure = request.sandbox?.failureIn({ exitCode, stderr: stderr.toString() });
  if (failure !== undefined) {
    request.sandbox?.refused?.();
    return end({ failure, timedOut, aborted });
  }
  const ending = endOf(request, exitCode, signal);
  limit ??= fileLimit(request, ending.signal);
  return end({
    ...ending,
    timedOut,
    aborted,
    ...(limit !== undefined && { limit }),
    ...(askedNetwork === true && { askedNetwork }),
  });
}

async function programOf({ file, args, shell, cwd, env, sandbox }: ProcessRequest): Promise<ProgramCall> {
  const program =
    shell === undefined ? { file: file!, args: args ?? [] } : { file: '/bin/sh', args: ['-c', shell] };
  const call = { ...program, cwd, env };
  return sandbox === undefined ? call : sandbox.enclose(call);
}

const SIGNAL_EXIT = 128;

/** A sandbox reports a signal of the program inside as a shell does: exit code 128 + the signal's number. */
function endOf(
  { sandbox }: ProcessRequest,
  exitCode: number | null,
  signal: string | null,
): Pick<ProcessOutcome, 'exitCode' | 'signal'> {
  if (sandbox === undefined || exitCode === null) return { exitCode, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - SIGNAL_EXIT)?.[0];
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

/** The kernel ends a program that writes beyond the size limit of a file and does not handle the signal. */
function fileLimit({ sandbox }: ProcessRequest, signal: string | null): string | undefined {
  if (signal !== 'SIGXFSZ' || sandbox?.bounds === undefined) return undefined;
  const most = renderBytes(sandbox.bounds.limits.fileBytes);
  return `it wrote a file beyond the limit of ${most} (--limits file=GIB changes it)`;
}

function collect(stream: Readable, into: BoundedOutput, onOutput: ProcessRequest['onOutput']): void {
  stream.on('data', (bytes: Buffer) => into.append(bytes));
  if (onOutput === undefined) return;
  const decoder = new StringDecoder();
  stream.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      onOutput(decoder.write(bytes.subarray(at, at + PIECE_BYTES)));
  });
  stream.on('end', () => onOutput(decoder.end()));
}

function finished(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded) return resolve();
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

/** True if the promise settled in time. The timer is cleared, because it would keep ralph running. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
