import { writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { shellCommand } from '../processes/shell-words.ts';
import { confinedEnvironment } from './environment.ts';
import type { ProgramCall, Sandbox, SandboxPolicy } from './sandbox.ts';
import { isInside } from './visible-tools.ts';

/**
 * Runs programs in Anthropic's sandbox-runtime by starting its program `cli` (absolute path), which costs about 0.3 s
 * for each. Its library is not used, because it has one policy and one proxy for the whole process.
 */
export function createSandboxRuntime(cli: string, policy: SandboxPolicy): Sandbox {
  let settings: string | undefined;
  return {
    engine: 'sandbox-runtime',
    bounds: policy.limits && { limits: policy.limits, inMemory: [], onDisk: policy.write },
    allowing: ({ write = [], read = [], wholeEnvironment = policy.wholeEnvironment }) =>
      createSandboxRuntime(cli, {
        ...policy,
        wholeEnvironment,
        write: [...policy.write, ...write],
        read: [...policy.read, ...read.map((path) => ({ from: path, at: path }))],
      }),
    enclose: ({ file, args, cwd, env }) => {
      settings ??= writeSettings(runtimeSettings(cli, policy));
      const { outer, inner } = dividedEnvironment(confinedEnvironment(env, policy));
      const words = ['exec', 'env', ...Object.entries(inner).map((entry) => entry.join('=')), file, ...args];
      const command = `mkdir -p "$TMPDIR" 2> /dev/null; ${shellCommand(words)}`;
      return Promise.resolve({
        file: process.execPath,
        args: [cli, '--settings', settings, '-c', command],
        cwd,
        env: outer,
      } satisfies ProgramCall);
    },
    failureIn: ({ exitCode, stderr }) =>
      exitCode === 1 && /^(Error: (Sandbox|.* does not (exist|hold))|bwrap: |sandbox-exec: )/.test(stderr)
        ? `the sandbox could not be started: ${stderr.trim().slice(0, 500)}`
        : undefined,
  };
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
