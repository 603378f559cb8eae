import type { RunEvent } from '../events.ts';
import type { CheckReport } from '../ports.ts';

/** A listener for the suite that emits `check_finished` for each check as it ends. */
export function emitCheckFinished(emit: (event: RunEvent) => void): (report: CheckReport) => void {
  return ({ name, status, passed, failed, total, errors, duration_ms }) => {
    const check = { name, status, passed, failed, total, errors, duration_ms };
    emit({ type: 'check_finished', check });
  };
}
