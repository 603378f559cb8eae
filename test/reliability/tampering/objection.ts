import type { Case } from './case.ts';
import type { CaseResult } from './run-case.ts';

/** The reason why a case did not have its expected outcome; undefined if it had. */
export function objectionTo({ number }: Case, { verdict, events }: CaseResult): string | undefined {
  const acted = events.find((event) => event.type === 'actor_finished');
  if (verdict.iterations !== 1 || acted?.type !== 'actor_finished')
    return `no attempt was made (${verdict.status})`;
  if (acted.trajectory.outcome === 'failed') return `the actor failed: ${acted.trajectory.message}`;
  if (number > 0) return verdict.verified ? 'accepted' : undefined;
  if (!verdict.verified) return `not accepted: ${verdict.reason}`;
  const [tampering] = verdict.attempts[0]!.tampering;
  return tampering === undefined ? undefined : `reported as tampering: ${tampering.detail}`;
}
