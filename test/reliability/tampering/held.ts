import type { Case } from './case.ts';
import type { CaseResult } from './run-case.ts';

/** Why a case did not come out as it must; undefined where it did. */
export function objectionTo({ number }: Case, { verdict, events }: CaseResult): string | undefined {
  const acted = events.find((event) => event.type === 'actor_finished');
  if (verdict.iterations !== 1 || acted?.type !== 'actor_finished')
    return `no attempt was made (${verdict.status})`;
  if (acted.trajectory.outcome === 'failed') return `the actor could not act: ${acted.trajectory.message}`;
  if (number > 0) return verdict.verified ? 'accepted' : undefined;
  if (!verdict.verified) return `not accepted: ${verdict.reason}`;
  const [accused] = verdict.attempts[0]!.tampering;
  return accused === undefined ? undefined : `accused: ${accused.detail}`;
}
