import type { CheckResult } from './generated.ts';

/** True for a check that ran only the tests that a change can affect: its command line is not the check's own. */
export function isNarrowed({ reused }: Pick<CheckResult, 'reused'>): boolean {
  return reused !== undefined;
}
