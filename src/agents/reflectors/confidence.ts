import { causeClaims } from './actor-claims.ts';
import type { Evidence } from './evidence.ts';

const LOWEST = 0.3;
const HIGHEST = 0.95;

/**
 * Confidence that the next step leads on, 0.3..0.95 in steps of 0.01: high where the cause is known, raised if the failure
 * has a place and values and if the edits had an effect, lowered by many failures and by each attempt with the same one.
 */
export function confidenceIn(evidence: Evidence): number {
  const { ahead, fixed, fresh, moved, alike } = evidence;
  const [lead] = ahead;
  const isValued = lead?.expected !== undefined && lead.received !== undefined;
  const sum =
    0.52 +
    (causeClaims(evidence).length > 0 ? 0.3 : 0) +
    (lead?.line === undefined ? 0 : 0.08) +
    (isValued ? 0.06 : 0) +
    (fixed.length + fresh.length + moved.length > 0 ? 0.08 : 0) -
    Math.min(0.15, alike.length * 0.05) -
    (ahead.length > 5 ? 0.06 : 0) -
    (lead === undefined ? 0.22 : 0);
  return Math.round(Math.min(HIGHEST, Math.max(LOWEST, sum)) * 100) / 100;
}
