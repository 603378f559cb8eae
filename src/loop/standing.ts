import type { Evaluation, Tampering } from '../schema/generated.ts';

/** What stands in the actor's own work, or outside the tree: nothing can put it back without judging the rest. */
const STANDING: readonly Tampering['kind'][] = ['suppression_added', 'test_aware', 'dependency_changed'];

/** True for what makes the tree itself one that is refused, whatever its checks say. */
export function isStanding({ kind }: Tampering): boolean {
  return STANDING.includes(kind);
}

/** What an evaluation found beside what was known before it. */
export function foundByChecks(evaluation: Evaluation, known: readonly Tampering[]): readonly Tampering[] {
  const told = new Set(known.map(({ detail }) => detail));
  return (evaluation.tampering ?? []).filter(({ detail }) => !told.has(detail));
}
