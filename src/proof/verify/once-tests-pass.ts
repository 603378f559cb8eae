import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';

/** Called with the report of each check as it ends. */
export type OnCheckDone = (report: Pick<CheckReport, 'name' | 'status'>) => void;

/** Calls `begin` once, when every check of tests has passed and none has failed: a tree that fails must cost nothing more. */
export function onceTestsPass(checks: readonly Pick<Check, 'plan'>[], begin: () => void): OnCheckDone {
  const left = new Set(checks.filter(({ plan }) => plan.kind === 'tests').map(({ plan }) => plan.name));
  let isOver = false;
  return ({ name, status }) => {
    if (isOver) return;
    left.delete(name);
    const isRed = status !== 'pass' && status !== 'skip';
    isOver = isRed || left.size === 0;
    if (isOver && !isRed) begin();
  };
}
