import { isAbsolute } from 'node:path';
import { filterFile } from './filter-file.ts';
import { confinedEnvironment } from './environment.ts';
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
];

/** Largest file that a confined program may write, in blocks of 512 bytes: 8 GiB. */
const LARGEST_FILE = 2 ** 24;
/** Limits the sizes of files and core dumps, opens the filter as file descriptor 3, and becomes bubblewrap. */
const START = `ulimit -c 0; ulimit -f ${LARGEST_FILE} 2> /dev/null; f=$1; shift; exec "$0" "$@" 3< "$f"`;

/** Runs programs in bubblewrap. `bwrap` is its absolute path. Costs about 6 ms for each program. */
export function createBubblewrap(bwrap: string, policy: SandboxPolicy): Sandbox {
  const fixed = [...CONFINED, ...(policy.network ? [] : ['--unshare-net'])];
  return {
    engine: 'bubblewrap',
    allowing: ({ write = [], read = [] }) =>
      createBubblewrap(bwrap, {
        ...policy,
        write: [...policy.write, ...write],
        read: [...policy.read, ...read.map((path) => ({ from: path, at: path }))],
      }),
    enclose: ({ file, args, cwd, env }) => {
      const filter = filterFile();
      const filtered = filter === undefined ? [] : ['--seccomp', '3'];
      const inside = [...mountArguments(policy), '--chdir', cwd, '--', ...throughShell(file), ...args];
      return Promise.resolve({
        file: '/bin/sh',
        args: ['-c', START, bwrap, filter ?? '/dev/null', ...fixed, ...filtered, ...inside],
        cwd,
        env: confinedEnvironment(env, policy),
      });
    },
    failureIn: ({ exitCode, stderr }) =>
      (exitCode === 1 && /^bwrap: /.test(stderr)) || (exitCode === 2 && /^\S*sh: .*seccomp\.bpf/.test(stderr))
        ? `the sandbox could not be started: ${stderr.trim().slice(0, 500)}`
        : undefined,
  };
}

/** A shell reports a missing program by exit code 127; bubblewrap would report it as its own failure. */
function throughShell(file: string): ProgramCall['args'] {
  return isAbsolute(file) ? [file] : ['/bin/sh', '-c', 'exec "$0" "$@"', file];
}
