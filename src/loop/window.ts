import type { Omega, Reflection, VerificationType, WindowPolicy } from '../schema/generated.ts';

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
}

/**
 * The last Ω reflections that fit the token budget: chosen newest first, the first that does not fit ends the
 * choice; the newest is always in. Chronological for `fifo`, newest first for `recency`.
 */
export function selectWindow(reflections: readonly Reflection[], request: WindowRequest): Reflection[] {
  const newestFirst = [...reflections].sort((a, b) => b.iteration - a.iteration).slice(0, request.omega);
  const chosen: Reflection[] = [];
  let tokens = 0;
  for (const reflection of newestFirst) {
    tokens += estimateTokens(reflection);
    if (tokens > request.maxTokens && chosen.length > 0) break;
    chosen.push(reflection);
  }
  return request.policy === 'recency' ? chosen : chosen.reverse();
}

/** Tokens that a reflection takes in a prompt, at four characters a token. */
export function estimateTokens({ self_reflection: self }: Reflection): number {
  const text = [self.reflection_text, ...self.actionable_insights, ...self.lessons_learned].join(' ');
  return Math.ceil(text.length / 4);
}
