/**
 * Git plumbing: commands that read standard input, or print bytes or NUL-separated names. Run by execa.
 * Work on a user's repository as a user would do it goes through `user-git.ts`.
 */
import { markCommand } from './end-command.ts';
import { gitEnvironment } from './environment.ts';
import { gitFailed, gitMissing, type GitOutcome } from './failures.ts';
import { commandLimits, gitEnded } from './limits.ts';

export { gitFailed, type GitOutcome } from './failures.ts';

export interface GitRequest {
  /** Absolute path of the folder that the command runs in. */
  readonly cwd: string;
  /** Ralph's own git directory. The configuration of the user, the system and the work tree is not read. */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** An objects folder of another repository, whose objects are found as well. */
  readonly alsoReads?: string;
  /** Standard input; empty if undefined. */
  readonly input?: string | Uint8Array;
  /** Default: that of `limitGit`. */
  readonly timeoutMs?: number;
  /** Ends the command, in addition to the signal of `limitGit`; its outcome then has no exit code. */
  readonly signal?: AbortSignal;
  /** Configuration of this command alone, such as a header with a token: neither in its arguments nor in a file. */
  readonly config?: Readonly<Record<string, string>>;
}

const MAX_OUTPUT_BYTES = 2 ** 30;

/** Git runs no program that a repository's configuration names, and packs nothing in the background. */
export const QUIET_CONFIG: readonly string[] = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'gc.auto=0',
  'diff.autoRefreshIndex=false',
];
export const NO_HOOKS_CONFIG = 'core.hooksPath=/dev/null';
/** Content is stored byte for byte; loose objects are on the disk before the id of a tree is printed. */
const OWN_CONFIG: readonly string[] = [
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'advice.addEmbeddedRepo=false',
  'core.fsync=committed,loose-object',
  'core.fsyncMethod=batch',
];

/** Commands that write nothing. */
const READERS: ReadonlySet<string> = new Set([
  'ls-files',
  'ls-tree',
  'cat-file',
  'for-each-ref',
  'rev-parse',
]);

/**
 * Runs git in a clean environment: without the caller's GIT_* variables that name a repository, without prompts,
 * optional locks and hooks. With `gitDir` neither the system's nor the user's configuration is read. Rejects only
 * with RalphError: if git is not installed, the folder is gone, or the limits of `limitGit` ended the command.
 */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitOutcome> {
  const { cwd, gitDir, workTree, input, timeoutMs } = request;
  const config = [...QUIET_CONFIG, NO_HOOKS_CONFIG, ...(gitDir === undefined ? [] : OWN_CONFIG)];
  const command = config.flatMap((entry) => ['-c', entry]);
  if (gitDir !== undefined) command.push(`--git-dir=${gitDir}`);
  if (workTree !== undefined) command.push(`--work-tree=${workTree}`);
  command.push(...args);
  const { execa } = await import('execa');
  const limits = commandLimits(timeoutMs);
  const signals = [limits.signal, request.signal].filter((it) => it !== undefined);
  const processes = markCommand();
  const subprocess = execa('git', command, {
    cwd,
    env: { ...gitEnvironment(request), ...processes.variables },
    extendEnv: false,
    timeout: limits.timeoutMs,
    ...(signals.length > 0 ? { cancelSignal: AbortSignal.any(signals) } : {}),
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    // A git command that is half done is left to end by itself; one that only reads may wait for a pipe without end.
    cleanup: READERS.has(args[0] ?? ''),
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  });
  // Git alone is sent the signal.
  subprocess.nodeChildProcess.once('exit', (_, signal) => {
    if (signal !== null) processes.end([subprocess.stdout, subprocess.stderr]);
  });
  const result = await subprocess;
  if (result.code === 'ENOENT') throw gitMissing(cwd, result);
  if (result.timedOut || (result.isCanceled && request.signal?.aborted !== true))
    throw gitEnded(args[0] ?? '', limits);
  const stderr = Buffer.from(result.stderr).toString('utf8');
  return {
    exitCode: result.exitCode ?? null,
    stdout: asBuffer(result.stdout),
    stderr: result.exitCode === undefined && stderr === '' ? (result.originalMessage ?? '') : stderr,
  };
}

/** `runGit`, but returns stdout. Throws RalphError `repository_unusable` if git fails. */
export async function git(args: readonly string[], request: GitRequest): Promise<Buffer> {
  const outcome = await runGit(args, request);
  if (outcome.exitCode !== 0) throw gitFailed(args, outcome);
  return outcome.stdout;
}

/** The items of a `-z` listing, as bytes, because a file name need not be valid UTF-8. */
export function splitNul(output: Buffer): Buffer[] {
  const items: Buffer[] = [];
  for (let from = 0; from < output.length;) {
    const end = output.indexOf(0, from);
    const to = end === -1 ? output.length : end;
    items.push(output.subarray(from, to));
    from = to + 1;
  }
  return items;
}

/** The items of `splitNul` as latin1 text, one character per byte: much faster for many short items. */
export function latin1Items(output: Buffer): string[] {
  const items = output.toString('latin1').split('\0');
  if (items.at(-1) === '') items.pop();
  return items;
}

/** Items as the input of a command that reads `-z` or `--pathspec-file-nul`. */
export function joinNul(items: readonly Buffer[]): Buffer {
  const nul = Buffer.of(0);
  return Buffer.concat(items.flatMap((item) => [item, nul]));
}

/** The same memory, not a copy. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
