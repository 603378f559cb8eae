import { readFileSync } from 'node:fs';

/** Whether a process is stopped by a signal, as by SIGSTOP or Ctrl-Z (proc_pid_stat(5)). False where that cannot be read. */
export function isStopped(pid: number): boolean {
  try {
    return /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
