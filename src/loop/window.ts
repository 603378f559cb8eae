import type { Diagnostic, Omega, Reflection, VerificationType, WindowPolicy } from '../schema/generated.ts';
import { byRelevance } from './relevance.ts';

/**
 * Ω by what is verified, where the user set none: clear failures need one reflection, mixed ones several,
 * subjective ones more. HumanEval 1, AlfWorld 3, HotPotQA 3 are the paper's values (Shinn et al., 2023, §4).
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

/** Capacity of the window, 1..10. `auto` grows with the diversity of the failures seen so far. */
export function omegaFor(
  omega: Omega | undefined,
  verification: VerificationType,
  reflections: readonly Reflection[],
): number {
  if (omega === undefined) return OMEGA_BY_VERIFICATION[verification];
  return omega === 'auto' ? omegaByDiversity(reflections) : omega;
}

/** ≥ 5 different failure categories → 5, ≥ 3 → 3, else 1. */
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
  /** What fails where the attempt starts, for `relevance_weighted`. */
  readonly failures?: readonly Diagnostic[];
}

/**
 * Ω reflections that fit the token budget: chosen in the policy's order, the first that does not fit ends the choice;
 * the first one is always in. The last Ω, in the order of time for `fifo`, newest first for `recency`; those that
 * share most with what fails now, these first, for `relevance_weighted`.
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

/** Tokens that a reflection takes in a prompt, at four characters a token. */
export function estimateTokens({ self_reflection: self }: Reflection): number {
  const text = [self.reflection_text, ...self.actionable_insights, ...self.lessons_learned].join(' ');
  return Math.ceil(text.length / 4);
}
