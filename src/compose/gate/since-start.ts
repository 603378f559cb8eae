import { compareFailures } from '../../schema/compare-failures.ts';
import type { Evaluation } from '../../schema/generated.ts';
import type { Judgement } from './judge.ts';

/** Two evaluations, of the tree of the start and of the judged one. */
export interface SinceStart {
  readonly evaluation: Evaluation;
  readonly previous: Evaluation;
}

/**
 * The evaluations between which all changes of a session lie: they are compared with the start, and not with the check before, which
 * had a part of them. Of a tree that holds the agent only the failures that do so count; those
 * that were there at the start are left out of both evaluations, so that none of them looks fixed.
 */
export function sinceStart({
  evaluation,
  baseline,
  decision: { failures },
}: Pick<Judgement, 'evaluation' | 'baseline' | 'decision'>): SinceStart {
  if (failures.length === 0) return { evaluation, previous: baseline };
  const { fixed, unseen, passing } = compareFailures(baseline, evaluation);
  const gone = new Set([...fixed, ...unseen, ...passing]);
  const held = new Set(failures.flatMap(({ fingerprint, test_id: id }) => [fingerprint, id ?? fingerprint]));
  const counted = baseline.diagnostics.filter(
    (one) => gone.has(one) || held.has(one.fingerprint) || held.has(one.test_id ?? ''),
  );
  return {
    evaluation: { ...evaluation, diagnostics: [...failures] },
    previous: { ...baseline, diagnostics: counted },
  };
}
