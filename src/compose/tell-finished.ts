import type { RunEvent } from '../events.ts';
import type { CheckReport } from '../ports.ts';

/** Tells of each check that ended, in an evaluation whose others may still run. */
export function tellFinished(emit: (event: RunEvent) => void): (report: CheckReport) => void {
  return ({ name, status, passed, failed, total, errors, duration_ms }) => {
    const check = { name, status, passed, failed, total, errors, duration_ms };
    emit({ type: 'check_finished', check });
  };
}
