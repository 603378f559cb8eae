import { spawn, type ChildProcess } from 'node:child_process';
import { ExitCode, RalphError } from '../../errors.ts';

export interface GitRequest {
  /** Absolute path; where the command runs. */
  readonly cwd: string;
  /** Ralph's own git directory. With it nothing of the user's or the work tree's configuration is read. */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly input?: string | Uint8Array;
  /** The user's hooks run. Only for the commit that the user asked for. */
  readonly hooks?: boolean;
  readonly timeoutMs?: number;
  /** Configuration for this call alone, such as a header with a token: neither in the command line nor on the disk. */
  readonly config?: Readonly<Record<string, string>>;
}

/** How git ended. `exitCode` is null where a signal or the time-out ended it. */
export interface GitOutcome {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const MAX_OUTPUT_BYTES = 2 ** 30;

/** Nothing that a repository's configuration names is run, and nothing is packed behind our back. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'gc.auto=0'];
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];
/** Content goes in and out byte for byte; loose objects are on the disk before a tree's name is given out. */
const OWN = [
  ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.attributesFile=/dev/null'],
  ...['-c', 'core.excludesFile=/dev/null', '-c', 'advice.addEmbeddedRepo=false'],
  ...['-c', 'core.fsync=committed,loose-object', '-c', 'core.fsyncMethod=batch'],
];

/**
 * Runs git with a clean environment: none of the caller's GIT_* variables that name a repository, no prompt,
 * no optional lock. With `gitDir` neither the system's nor the user's configuration is read. Rejects only
 * with RalphError `repository_unusable`, where git is not installed.
 */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitOutcome> {
  const { gitDir, workTree, hooks = false } = request;
  const where = [
    ...(gitDir === undefined ? [] : [...OWN, `--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
  const command = [...QUIET, ...(hooks ? [] : NO_HOOKS), ...where, ...args];
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ENOENT') reject(gitMissing(error));
      else resolve({ exitCode: null, stdout: Buffer.alloc(0), stderr: error.message });
    };
    try {
      const child = start(command, request);
      const stdout = collect(child, child.stdout!);
      const stderr = collect(child, child.stderr!);
      child.once('error', fail);
      child.once('close', (exitCode) =>
        resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }),
      );
      child.stdin?.on('error', () => {});
      child.stdin?.end(request.input);
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  });
}

/** `runGit`, with its output. Throws RalphError `repository_unusable` where git fails. */
export async function git(args: readonly string[], request: GitRequest): Promise<Buffer> {
  const outcome = await runGit(args, request);
  if (outcome.exitCode !== 0) throw gitFailed(args, outcome);
  return outcome.stdout;
}

/** A git command that must not fail did: the command and what git said about it. */
export function gitFailed(args: readonly string[], { exitCode, stderr }: GitOutcome): RalphError {
  const said = stderr.trim().slice(0, 1000) || `it ended with ${exitCode ?? 'a signal'}`;
  return new RalphError(`git ${args[0] ?? ''} failed: ${said}`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: /No space left/i.test(stderr) ? 'Free some disk space and run it again.' : undefined,
  });
}

/** The items of a `-z` listing, as bytes: a file's name need not be valid UTF-8. */
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

/** Items as the input of a command that reads `-z` or `--pathspec-file-nul`. */
export function joinNul(items: readonly Buffer[]): Buffer {
  const nul = Buffer.of(0);
  return Buffer.concat(items.flatMap((item) => [item, nul]));
}

function start(command: readonly string[], request: GitRequest): ChildProcess {
  return spawn('git', command, {
    cwd: request.cwd,
    env: environmentFor(request),
    timeout: request.timeoutMs,
    stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
}

/** What a stream gives; more than can be held ends the program. */
function collect(child: ChildProcess, stream: NodeJS.ReadableStream): Buffer[] {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_OUTPUT_BYTES) return child.kill();
    return pieces.push(piece);
  });
  return pieces;
}

/** Variables by which a caller, such as a git hook, names its own repository or configuration. */
const LOCATING =
  /^GIT_(?!AUTHOR_|COMMITTER_|SSH|ASKPASS|EXEC_PATH|SSL_|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$|CEILING_|DISCOVERY_)/;

function environmentFor({
  gitDir,
  indexFile,
  hooks,
  config = {},
}: GitRequest): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !LOCATING.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: 'true',
    ...(hooks ? {} : { LC_ALL: 'C' }),
    ...(gitDir === undefined ? {} : { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...configVariables(config),
  };
}

function configVariables(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  if (entries.length === 0) return {};
  const pairs = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    GIT_CONFIG_COUNT: String(entries.length),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}

function gitMissing(cause: unknown): RalphError {
  return new RalphError('git is not installed, or not on the PATH.', {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'Install git 2.30 or later and run it again.',
    cause,
  });
}
