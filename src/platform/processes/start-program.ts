import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `ignore` gives the program an empty standard input. */
  readonly stdin: 'pipe' | 'ignore';
  /** File descriptor 3 is a pipe that this process reads while it lives. */
  readonly needsReader?: boolean;
}

/**
 * A program that runs in a process group of its own. Errors of its streams are ignored. Begin to read both outputs
 * before the next turn of the event loop: execa discards output that nobody reads.
 */
export interface StartedProgram {
  readonly pid: number;
  /** Null with `stdin: 'ignore'`. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program itself ends, even while its children keep the output open. Never rejects. */
  readonly exited: Promise<ProgramExit>;
}

export interface ProgramExit {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  /** `SIGKILL`, `SIGTERM` and the like. */
  readonly signal: string | null;
  /** True if the program with `needsReader` wrote `ASKED_NETWORK` to file descriptor 3. */
  readonly askedNetwork?: boolean;
}

/** What a sandbox without a network writes to file descriptor 3 if a program asked for one. */
export const ASKED_NETWORK = 'network';
/** File descriptor 3 closes with the program; nothing waits longer for it. */
const SIGN_MS = 250;

/** The program could not be started: not found, not executable, a NUL in an argument, too many arguments. */
export interface StartFailure {
  readonly failure: string;
}

/**
 * Starts a program and leaves time-out, output and the end of its children to the caller. Never rejects.
 * execa is loaded on the first call, because most commands of ralph start no program.
 */
export async function startProgram({
  file,
  args,
  cwd,
  env,
  stdin,
  needsReader = false,
}: Program): Promise<StartedProgram | StartFailure> {
  const { execa } = await import('execa');
  try {
    const subprocess = execa(file, args, {
      cwd,
      env,
      extendEnv: false,
      stdio: [stdin, 'pipe', 'pipe', ...(needsReader ? (['pipe'] as const) : [])],
      buffer: false,
      encoding: 'buffer',
      detached: true,
      reject: false,
    });
    const { pid, stdout, stderr, nodeChildProcess } = subprocess;
    const [, , , sign] = subprocess.stdio;
    for (const stream of [subprocess.stdin, stdout, stderr, sign]) stream?.on('error', () => {});
    if (pid === undefined)
      return { failure: (await subprocess).originalMessage ?? 'it could not be started' };
    const askedNetwork = readSign(sign);
    const exited = new Promise<ProgramExit>((resolve) => {
      nodeChildProcess.once('exit', (exitCode, signal) => {
        void askedNetwork().then((asked) => resolve({ exitCode, signal, askedNetwork: asked }));
      });
    });
    return { pid, stdin: subprocess.stdin, stdout, stderr, exited };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** Reads what a program writes; the answer is for the time after its end. */
function readSign(sign: Readable | Writable | null | undefined): () => Promise<boolean> {
  if (!(sign instanceof Readable)) return () => Promise.resolve(false);
  let text = '';
  sign.on('data', (bytes: Buffer) => (text = (text + bytes.toString('latin1')).slice(-100)));
  return async () => {
    if (!sign.closed && !sign.readableEnded)
      await Promise.race([once(sign, 'close').catch(() => {}), delay(SIGN_MS, undefined, { ref: false })]);
    return text.includes(ASKED_NETWORK);
  };
}
