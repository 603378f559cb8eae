import { release } from 'node:os';
import { filterFile } from './filter-file.ts';
import { confinedEnvironment } from './environment.ts';
import { gitIdentityFile } from './git-identity.ts';
import { ASKED_NETWORK } from '../processes/start-program.ts';
import type { UsageLimits } from './limits.ts';
import { mountArguments } from './mounts.ts';
import type { ProgramCall, Sandbox, SandboxPolicy } from './sandbox.ts';

/**
 * Namespaces of its own for users, processes, IPC and host name, no capability, and no further user namespace, so that
 * not even root can change mounts. Everything inside is killed when ralph ends.
 */
const CONFINED = [
  '--die-with-parent',
  '--new-session',
  '--unshare-user',
  '--disable-userns',
  '--cap-drop',
  'ALL',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--as-pid-1',
];

const BLOCK = 512;
/** `ulimit` takes no more. */
const MOST_BLOCKS = 2 ** 53;
/**
 * Limits the sizes of files and core dumps, lets the kernel end the program before others when the memory of the machine is
 * used up, opens the filter as file descriptor 4, and becomes bubblewrap.
 */
export const START =
  '{ ulimit -c 0; [ -z "$1" ] || ulimit -f "$1"; echo 500 > /proc/self/oom_score_adj; } 2> /dev/null; exec 4< "$2"; shift 2; exec "$0" "$@"';
/**
 * Inside, the program begins only if ralph reads file descriptor 3: --die-with-parent does nothing about a parent that ended
 * before bubblewrap said so to the kernel. This shell is the first process of the name space and waits for the program: a first
 * process of bubblewrap's own says so only after the program may have begun, and then outlives ralph with everything inside. It
 * keeps its own words, such as "Killed", out of the program's output. The processes of the name space are counted by themselves
 * (Linux 5.14; root is exempt). The option is -p in dash and -u in bash. A shell reports a missing program by exit code 127;
 * bubblewrap would report it as its own failure.
 *
 * Without a network it says at the end whether a program asked for one, by the kernel's counters of the name space
 * (`OutNoRoutes` of IP; `NoPorts` of UDP, where the system's own resolver is a local port): few programs say so themselves.
 */
const INSIDE = `echo >&3 || exit
exec 5>&2 2> /dev/null
[ -z "$1" ] || ulimit -p "$1" || ulimit -u "$1"
closed=$2
shift 2
(exec 2>&5 3>&- 5>&-; exec "$0" "$@")
code=$?
[ -z "$closed" ] || while read -r name a ports b c d e f g h i j routes rest; do
  case "$name $routes" in "Ip: "[1-9]*) echo ${ASKED_NETWORK} >&3;; esac
  case "$name $ports" in "Udp: "[1-9]*) echo ${ASKED_NETWORK} >&3;; esac
done < /proc/net/snmp
exit $code`;

/** Runs programs in bubblewrap. `bwrap` is its absolute path. Costs about 6 ms for each program. */
export function createBubblewrap(bwrap: string, policy: SandboxPolicy, refused?: () => void): Sandbox {
  const { limits } = policy;
  const fixed = [...CONFINED, ...(policy.network ? [] : ['--unshare-net'])];
  return {
    engine: 'bubblewrap',
    ...(refused && { refused }),
    bounds: limits && { limits, inMemory: ['/dev', ...policy.hide, ...policy.scratch], onDisk: policy.write },
    allowing: ({ write = [], read = [], network = policy.network, wholeEnvironment }) =>
      createBubblewrap(
        bwrap,
        {
          ...policy,
          network,
          wholeEnvironment: wholeEnvironment ?? policy.wholeEnvironment,
          write: [...policy.write, ...write],
          read: [...policy.read, ...read.map((path) => ({ from: path, at: path }))],
        },
        refused,
      ),
    enclose: async ({ file, args, cwd, env }) => {
      const gitConfig = await gitIdentityFile();
      const filter = filterFile();
      const filtered = filter === undefined ? [] : ['--seccomp', '4'];
      const inside = [
        ...mountArguments({ ...policy, read: [...policy.read, ...visibleFile(gitConfig)] }),
        '--chdir',
        cwd,
        '--',
        ...throughShell(file, policy),
        ...args,
      ];
      return {
        needsReader: true,
        file: '/bin/sh',
        args: ['-c', START, bwrap, blocksOf(limits), filter ?? '/dev/null', ...fixed, ...filtered, ...inside],
        cwd,
        env: confinedEnvironment(env, { ...policy, gitConfig }),
      };
    },
    failureIn: ({ exitCode, stderr }) =>
      (exitCode === 1 && /^bwrap: /.test(stderr)) || isWithoutFilter(exitCode, stderr)
        ? `the sandbox could not be started: ${stderr.trim().slice(0, 500)}`
        : undefined,
  };
}

function visibleFile(path: string | undefined): SandboxPolicy['read'] {
  return path === undefined ? [] : [{ from: path, at: path }];
}

function throughShell(file: string, { limits, network }: SandboxPolicy): ProgramCall['args'] {
  const most = limits?.processes ?? Infinity;
  const processes = most === Infinity || !countsByNameSpace() ? '' : String(most);
  return ['/bin/sh', '-c', INSIDE, file, processes, network ? '' : 'closed'];
}

export function blocksOf(limits: UsageLimits | undefined): string {
  const most = limits?.fileBytes ?? Infinity;
  return most === Infinity ? '' : String(Math.min(MOST_BLOCKS, Math.ceil(most / BLOCK)));
}

/** Before Linux 5.14 all processes of the user would count. */
function countsByNameSpace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** True if the shell of `START` could not open the file of the filter, and nothing has started. */
export function isWithoutFilter(exitCode: number | null, stderr: string): boolean {
  return exitCode === 2 && /^\S*sh: .*seccomp\.bpf/.test(stderr);
}
