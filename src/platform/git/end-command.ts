import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { processesWith } from '../processes/process-tree.ts';

/** The processes of one git command: git, and what it has started, such as ssh or git-remote-https. */
export interface CommandProcesses {
  /** Variables by which they are found. */
  readonly variables: Readonly<Record<string, string>>;
  /** Ends those that are left, also after git itself has ended, and closes the outputs that they may hold open. */
  end(outputs: readonly (Readable | undefined)[]): void;
}

const DRAIN_MS = 250;
/** What ignores SIGTERM for so long is killed. */
const GRACE_MS = 1000;

/** Marks the processes of a command that is about to start. */
export function markCommand(): CommandProcesses {
  const tag = `git-${randomUUID()}`;
  return {
    variables: { RALPH_PROCESS_TAG: tag },
    end(outputs) {
      signalAll(tag, 'SIGTERM');
      setTimeout(() => outputs.forEach((output) => output?.destroy()), DRAIN_MS);
      setTimeout(() => signalAll(tag, 'SIGKILL'), GRACE_MS).unref();
    },
  };
}

function signalAll(tag: string, signal: NodeJS.Signals): void {
  for (const pid of processesWith(tag))
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
}
