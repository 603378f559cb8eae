import { isAbsolute } from 'node:path';
import { confinedEnvironment } from './environment.ts';
import { mountArguments } from './mounts.ts';
import type { ProgramCall, Sandbox, SandboxPolicy } from './sandbox.ts';

/**
 * Its own user, process, network, IPC and host name space, no capability, and no way to a new user namespace: as
 * root, too, nothing can be mounted anew. Everything inside dies with the first process outside.
 */
const CONFINED = [
  ...['--die-with-parent', '--new-session', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
];

/** Programs inside bubblewrap, whose absolute path is given: about 6 ms for each. */
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
    enclose: ({ file, args, cwd, env }) =>
      Promise.resolve({
        file: bwrap,
        args: [...fixed, ...mountArguments(policy), '--chdir', cwd, '--', ...throughShell(file), ...args],
        cwd,
        env: confinedEnvironment(env, policy),
      }),
    failureIn: ({ exitCode, stderr }) =>
      exitCode === 1 && /^bwrap: /.test(stderr)
        ? `the sandbox could not be started: ${stderr.trim().slice(0, 500)}`
        : undefined,
  };
}

/** A program that is not there is to end as a shell says it, with 127, and not as a failure of bubblewrap. */
function throughShell(file: string): ProgramCall['args'] {
  return isAbsolute(file) ? [file] : ['/bin/sh', '-c', 'exec "$0" "$@"', file];
}
