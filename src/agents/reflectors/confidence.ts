import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';

const LOWEST = 0.3;
const HIGHEST = 0.95;

/**
 * Confidence in a diagnosis, 0.3..0.95 in steps of 0.01: the strength of the rule, raised if the failure has a place and
 * values and if the edits had an effect, lowered by many failures and by each earlier attempt with the same failure.
 */
export function confidenceIn(evidence: Evidence, { strength }: Diagnosis): number {
  const { failures, fixed, fresh, moved, blame, alike } = evidence;
  const lead = failures[0];
  const sum =
    0.2 +
    strength * 0.45 +
    (lead?.line === undefined ? 0 : 0.08) +
    (evidence.difference === undefined ? 0 : 0.06) +
    (fixed.length + fresh.length + moved.length > 0 ? 0.08 : 0) +
    (blame.ground === 'named_by_new' ? 0.12 : 0) +
    (blame.ground === 'named_by_old' ? 0.06 : 0) -
    Math.min(0.15, alike.length * 0.05) -
    (failures.length > 5 ? 0.06 : 0) -
    (lead === undefined ? 0.1 : 0);
  return Math.round(Math.min(HIGHEST, Math.max(LOWEST, sum)) * 100) / 100;
}
