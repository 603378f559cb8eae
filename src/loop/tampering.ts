import type { Evaluation, Tampering } from '../schema/generated.ts';

/** Tampering in the actor's own edits or outside the tree, which restoring a protected file does not undo. */
const NOT_RESTORABLE: readonly Tampering['kind'][] = [
  'suppression_added',
  'test_aware',
  'dependency_changed',
];

/** True for tampering that fails the whole tree, because no file can be restored to undo it. */
export function cannotBeUndone({ kind }: Tampering): boolean {
  return NOT_RESTORABLE.includes(kind);
}

/** Tampering that the evaluation found in addition to what was known before. */
export function foundByChecks(evaluation: Evaluation, known: readonly Tampering[]): readonly Tampering[] {
  const knownDetails = new Set(known.map(({ detail }) => detail));
  return (evaluation.tampering ?? []).filter(({ detail }) => !knownDetails.has(detail));
}
