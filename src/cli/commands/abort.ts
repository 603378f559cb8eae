import { ExitCode, RalphError } from '../../errors.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { lockHolder, type Holder } from '../../state/lock.ts';
import { resolveLoopId } from '../../state/loops.ts';

const WAIT_MS = 15_000;
const POLL_MS = 100;

/**
 * `ralph abort [loop-id]`: sends SIGTERM to the process that runs the loop, and waits until its lock is released. Throws
 * RalphError if it cannot be signalled or does not end in time.
 */
export async function abortCommand(id: string | undefined): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const holder = lockHolder(root);
  const wanted = id === undefined ? undefined : await resolveLoopId(root, id);
  if (holder === null || (wanted !== undefined && holder.loopId !== wanted)) {
    process.stdout.write(
      `${wanted === undefined ? 'No loop is running in this repository.' : `${wanted} is not running.`}\n`,
    );
    return;
  }
  terminate(holder);
  const deadline = Date.now() + WAIT_MS;
  while (lockHolder(root) !== null) {
    if (Date.now() > deadline) throw notStopped(holder);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  process.stdout.write(
    `Stopped ${holder.loopId ?? 'the loop'}. To continue it: ralph resume ${holder.loopId ?? ''}\n`,
  );
}

function terminate(holder: Holder): void {
  if (holder.pid === null) throw notStopped(holder);
  try {
    process.kill(holder.pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw notStopped(holder);
  }
}

function notStopped({ pid, host }: Holder): RalphError {
  return new RalphError(
    `The process of the loop (${pid ?? 'unknown'} on ${host ?? 'this machine'}) did not stop.`,
    {
      code: 'locked',
      exitCode: ExitCode.workspace,
      hint:
        pid === null
          ? 'Find the ralph process and end it.'
          : `To kill it, without losing finished steps: kill -9 ${pid}`,
    },
  );
}
