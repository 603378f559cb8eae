import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { lockHolder, type Holder } from '../../state/lock.ts';
import { resolveLoopId } from '../../state/loops.ts';

const WAIT_MS = 15_000;
const POLL_MS = 100;

/** `ralph abort [loop-id]`: SIGTERM to the process that runs the loop, then waits until it has let go. */
export async function abortCommand(id: string | undefined): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const holder = lockHolder(root);
  const wanted = id === undefined ? undefined : await resolveLoopId(root, id);
  if (holder === null || (wanted !== undefined && holder.loopId !== wanted)) {
    process.stdout.write(
      `${wanted === undefined ? 'No loop runs in this repository.' : `${wanted} does not run.`}\n`,
    );
    return;
  }
  signal(holder);
  const deadline = Date.now() + WAIT_MS;
  while (lockHolder(root) !== null) {
    if (Date.now() > deadline) throw stuck(holder);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  process.stdout.write(
    `Stopped ${holder.loopId ?? 'the loop'}. Go on with it: ralph resume ${holder.loopId ?? ''}\n`,
  );
}

function signal(holder: Holder): void {
  if (holder.pid === null) throw stuck(holder);
  try {
    process.kill(holder.pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw stuck(holder);
  }
}

function stuck({ pid, host }: Holder): RalphError {
  return new RalphError(
    `The loop's process (${pid ?? 'unknown'} on ${host ?? 'this machine'}) did not stop.`,
    {
      code: 'locked',
      exitCode: ExitCode.workspace,
      hint:
        pid === null
          ? 'Find the ralph process and end it.'
          : `End it by force, nothing that was saved is lost: kill -9 ${pid}`,
    },
  );
}
