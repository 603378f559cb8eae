import { readdirSync } from 'node:fs';
import { homedir, networkInterfaces } from 'node:os';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

/** What code can see of the machine outside of a sandbox. */
export interface Machine {
  /** Texts of files below `/proc`, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Names in `/proc`. */
  readonly processes: readonly string[];
  /** Names in the user's home. */
  readonly home: readonly string[];
  readonly interfaces: ReturnType<typeof networkInterfaces>;
}

const PROCESS = ['status', 'uid_map', 'gid_map', 'mountinfo', 'mounts', 'cgroup', 'limits', 'setgroups'];
const SYSTEM = ['net/route', 'net/dev', 'net/tcp', 'net/unix', '1/comm', '1/cmdline', '1/cgroup', '1/status'];
const GENERAL = ['mounts', 'uptime', 'loadavg', 'version', 'cpuinfo', 'meminfo'];

/** Reads it in this process, which no sandbox confines. Never throws. */
export function readMachine(): Machine {
  const paths = [...PROCESS.map((name) => `self/${name}`), ...SYSTEM, ...GENERAL];
  const files = paths.flatMap((path) => {
    const text = textOf(`/proc/${path}`);
    return text === undefined ? [] : [[`/proc/${path}`, text] as const];
  });
  return {
    files: Object.fromEntries(files),
    processes: namesIn('/proc'),
    home: namesIn(homedir()),
    interfaces: networkInterfaces(),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
