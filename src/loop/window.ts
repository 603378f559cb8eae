import type { Diagnostic, Omega, Reflection, VerificationType, WindowPolicy } from '../schema/generated.ts';
import { byRelevance } from './relevance.ts';

/**
 * Default Ω by verification type: one reflection for clear failures, several for mixed ones, more for subjective ones.
 * The paper uses 1 for HumanEval and 3 for AlfWorld and HotPotQA (Shinn et al., 2023, §4).
 */
const OMEGA_BY_VERIFICATION: Readonly<Record<VerificationType, number>> = {
  unit_tests: 1,
  integration_tests: 3,
  type_check: 1,
  lint: 1,
  compilation: 1,
  combined: 3,
  heuristic: 3,
  external_api: 3,
  manual_review: 5,
};

/** Capacity of the window, 1..10. `auto` grows with the number of failure categories so far. */
export function omegaFor(
  omega: Omega | undefined,
  verification: VerificationType,
  reflections: readonly Reflection[],
): number {
  if (omega === undefined) return OMEGA_BY_VERIFICATION[verification];
  return omega === 'auto' ? omegaByDiversity(reflections) : omega;
}

/** 5 for five or more failure categories, 3 for three or four, else 1. */
export function omegaByDiversity(reflections: readonly Reflection[]): number {
  const categories = new Set(reflections.map((r) => r.self_reflection.credit_assignment.failure_category));
  if (categories.size >= 5) return 5;
  return categories.size >= 3 ? 3 : 1;
}

export interface WindowRequest {
  /** 1..10. */
  readonly omega: number;
  readonly policy: WindowPolicy;
  readonly maxTokens: number;
  /** Failures of the tree that the attempt starts from, for `relevance_weighted`. */
  readonly failures?: readonly Diagnostic[];
}

/**
 * At most Ω reflections within the token budget. `fifo` and `recency` select the newest, in order of time and newest
 * first; `relevance_weighted` selects those most similar to the present failures, most similar first. Selection ends at
 * the first reflection beyond the budget, but the first one is always selected.
 */
export function selectWindow(reflections: readonly Reflection[], request: WindowRequest): Reflection[] {
  const newestFirst = [...reflections].sort((a, b) => b.iteration - a.iteration);
  const ordered =
    request.policy === 'relevance_weighted' ? byRelevance(newestFirst, request.failures ?? []) : newestFirst;
  const chosen: Reflection[] = [];
  let tokens = 0;
  for (const reflection of ordered.slice(0, request.omega)) {
    tokens += estimateTokens(reflection);
    if (tokens > request.maxTokens && chosen.length > 0) break;
    chosen.push(reflection);
  }
  return request.policy === 'fifo' ? chosen.reverse() : chosen;
}

/** Estimated tokens of a reflection in a prompt, at four characters per token. */
function estimateTokens({ self_reflection: self }: Reflection): number {
  const text = [self.reflection_text, ...self.actionable_insights, ...self.lessons_learned].join(' ');
  return Math.ceil(text.length / 4);
}
