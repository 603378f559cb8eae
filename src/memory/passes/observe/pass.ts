import type { Observation } from '../../../schema/generated.ts';
import { redactValue } from '../../../platform/redaction/redact.ts';
import type { ScoreImportance } from './importance.ts';
import { observationId, observe, type ObservedAttempt } from './rules.ts';
import { addObservation } from './store.ts';

export interface ObserveOptions {
  readonly score?: ScoreImportance | undefined;
  readonly now?: (() => Date) | undefined;
}

/**
 * Stores an attempt durably and returns its observation; an attempt that is stored already is returned unchanged. Asks
 * no model. Throws RalphError where the disk refuses.
 */
export function commitObservation(
  repositoryRoot: string,
  attempt: ObservedAttempt,
  { score, now = () => new Date() }: ObserveOptions = {},
): Promise<Observation> {
  const id = observationId(attempt.loopId, attempt.iteration);
  return addObservation(repositoryRoot, (earlier) => {
    const known = earlier.find((observation) => observation.id === id);
    return known ?? redactValue(observe(attempt, { earlier, at: now().toISOString(), score }));
  });
}
