import { writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { shellCommand } from '../processes/shell-words.ts';
import { blocksOf, isWithoutFilter, START } from './bubblewrap.ts';
import { filterFile } from './filter-file.ts';
import { confinedEnvironment } from './environment.ts';
import { gitIdentityFile } from './git-identity.ts';
import type { ProgramCall, Sandbox, SandboxPolicy } from './sandbox.ts';
import { isInside } from './visible-tools.ts';

/**
 * Runs programs in Anthropic's sandbox-runtime by starting its program `cli` (absolute path), which costs about 0.3 s
 * for each. Its library is not used, because it has one policy and one proxy for the whole process.
 */
export function createSandboxRuntime(cli: string, policy: SandboxPolicy, bwrap?: string): Sandbox {
  let settings: string | undefined;
  return {
    engine: 'sandbox-runtime',
    bounds: policy.limits && { limits: policy.limits, inMemory: [], onDisk: policy.write },
    allowing: ({ write = [], read = [], wholeEnvironment = policy.wholeEnvironment }) =>
      createSandboxRuntime(
        cli,
        {
          ...policy,
          wholeEnvironment,
          write: [...policy.write, ...write],
          read: [...policy.read, ...read.map((path) => ({ from: path, at: path }))],
        },
        bwrap,
      ),
    enclose: async ({ file, args: own, cwd, env }) => {
      const gitConfig = await gitIdentityFile();
      const read = gitConfig === undefined ? [] : [{ from: gitConfig, at: gitConfig }];
      settings ??= writeSettings(runtimeSettings(cli, { ...policy, read: [...policy.read, ...read] }));
      const { outer, inner } = dividedEnvironment(confinedEnvironment(env, { ...policy, gitConfig }));
      const words = ['exec', 'env', ...Object.entries(inner).map((entry) => entry.join('=')), file, ...own];
      const command = `mkdir -p "$TMPDIR" 2> /dev/null; ${shellCommand(words)}`;
      const call = [process.execPath, cli, '--settings', settings, '-c', command];
      const [program, ...args] = bwrap === undefined ? call : ['/bin/sh', ...around(bwrap, policy), ...call];
      return { file: program!, args, cwd, env: outer } satisfies ProgramCall;
    },
    failureIn: ({ exitCode, stderr }) =>
      (exitCode === 1 &&
        /^(Error: (Sandbox|.* does not (exist|hold))|bwrap: |sandbox-exec: )/.test(stderr)) ||
      isWithoutFilter(exitCode, stderr)
        ? `the sandbox could not be started: ${stderr.trim().slice(0, 500)}`
        : undefined,
  };
}

/**
 * On Linux sandbox-runtime is itself started by bubblewrap, which it needs anyway. By itself it keeps neither the keyring, ptrace
 * nor setuid files away, limits nothing, and shares System V memory with the user's other programs.
 */
function around(bwrap: string, { limits }: SandboxPolicy): readonly string[] {
  const filter = filterFile({ mayBuild: true });
  const filtered = filter === undefined ? [] : ['--seccomp', '4'];
  const how = ['--die-with-parent', '--dev-bind', '/', '/', '--unshare-ipc', ...filtered, '--'];
  return ['-c', START, bwrap, blocksOf(limits), filter ?? '/dev/null', ...how];
}

/** Settings of sandbox-runtime (its README, "Configuration"); of nested paths the innermost decides. */
export interface RuntimeSettings {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

/** The policy as settings of sandbox-runtime, which shows an opened path only by its real path. */
export function runtimeSettings(
  cli: string,
  { write, read, hide, blank }: Omit<SandboxPolicy, 'network' | 'passEnv'>,
): RuntimeSettings {
  const opened = read.flatMap(({ from, at }) => [from, at]);
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: [...hide, ...blank],
      allowRead: [...new Set([...write, ...opened, dirname(dirname(cli))])],
      allowWrite: write,
      denyWrite: [...new Set(opened)].filter((path) => write.some((folder) => isInside(folder, path))),
    },
  };
}

/** Variables that make a program run or load other code. */
const LOADING = /^(NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|BASH_FUNC.*)$/;

interface SplitEnvironment {
  /** For sandbox-runtime itself, which is not confined: no variable may load code of a workspace. */
  readonly outer: Readonly<Record<string, string>>;
  /** Only for the confined program. */
  readonly inner: Readonly<Record<string, string>>;
}

export function dividedEnvironment(env: Readonly<Record<string, string>>): SplitEnvironment {
  const entries = Object.entries(env);
  const path = (env['PATH'] ?? '').split(delimiter).filter(isTrusted).join(delimiter);
  const outer = entries.filter(([name]) => !LOADING.test(name));
  const inner = entries.filter(([name]) => LOADING.test(name) || name === 'PATH');
  // With a lower SHLVL, bash takes a socket as its input for a remote login and reads ~/.bashrc.
  return {
    outer: { ...Object.fromEntries(outer), PATH: path, SHLVL: '1' },
    inner: Object.fromEntries(inner),
  };
}

/** Programs of installed packages are not trusted. */
function isTrusted(folder: string): boolean {
  return isAbsolute(folder) && !folder.includes('node_modules');
}

let folder: string | undefined;
let written = 0;

/** Writes a file in a temporary folder, which every policy hides and which is removed when this process ends. */
function writeSettings(settings: RuntimeSettings): string {
  folder ??= makeTemporaryFolder('sandbox');
  const file = join(folder, `${++written}.json`);
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  return file;
}
