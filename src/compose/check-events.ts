import type { SuiteOptions } from '../checks/suite.ts';
import type { RunEvent } from '../events.ts';

/** Listeners of a suite that emit `test_failed` and `check_finished`. */
export function checkEvents(
  emit: (event: RunEvent) => void,
): Required<Pick<SuiteOptions, 'onTestFailed' | 'onCheckDone'>> {
  return {
    onTestFailed: (failure) => emit({ type: 'test_failed', ...failure }),
    onCheckDone: ({ name, status, passed, failed, total, errors, duration_ms }) => {
      const check = { name, status, passed, failed, total, errors, duration_ms };
      emit({ type: 'check_finished', check });
    },
  };
}
