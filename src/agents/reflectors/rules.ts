import type { ReflectionInput, Reflector } from '../../ports.ts';
import type { SelfReflection } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { confidenceIn } from './confidence.ts';
import { diagnose, type Diagnosis } from './diagnosis.ts';
import { gatherEvidence, type Evidence } from './evidence.ts';
import { renderInsights, renderLessons } from './insights.ts';
import { renderNarrative, renderReasoning } from './narrative.ts';

/** What `boundText` may add to say what it left out. */
const MARK_CHARS = 60;

/**
 * Reflects by rules over structured evidence alone: the same input gives the same reflection, with no model
 * and no network. Cites files, lines, tests and values, says what the edits did, why, and where to look
 * next. Never rejects.
 */
export function createRulesReflector(): Reflector {
  return {
    reflect: (input) =>
      Promise.resolve({ reflection: reflectByRules(input), reflector: { name: 'rules', fallback: false } }),
  };
}

/** The reflection that the rules write of one failed attempt; always within the schema's bounds. */
export function reflectByRules(input: ReflectionInput): SelfReflection {
  const evidence = gatherEvidence(input);
  const diagnosis = diagnose(evidence);
  return {
    reflection_text: bounded(renderNarrative(evidence, diagnosis), 8000),
    credit_assignment: {
      failing_action_indices: evidence.blame.indices.slice(0, 2000),
      root_cause: bounded(diagnosis.rootCause, 2000),
      failure_category: diagnosis.category,
    },
    causal_reasoning: bounded(renderReasoning(evidence, diagnosis), 4000),
    actionable_insights: renderInsights(evidence, diagnosis).map((text) => bounded(text, 1000)),
    lessons_learned: renderLessons(evidence, diagnosis).map((text) => bounded(text, 1000)),
    confidence: confidenceIn(evidence, diagnosis),
    related_reflections: related(evidence, diagnosis),
  };
}

/** Iterations (0-based) that failed the same way, and those that these refer to. */
function related({ alike, input }: Evidence, { category }: Diagnosis): number[] {
  const sameKind = input.window.filter(
    ({ self_reflection }) => self_reflection.credit_assignment.failure_category === category,
  );
  const iterations = [...alike, ...sameKind].flatMap(({ iteration, self_reflection }) => [
    ...self_reflection.related_reflections,
    iteration,
  ]);
  const earlier = iterations.filter((iteration) => iteration < input.iteration - 1);
  return [...new Set(earlier)].sort((a, b) => a - b).slice(-50);
}

function bounded(text: string, limit: number): string {
  return text.length <= limit ? text : boundText(text, limit - MARK_CHARS);
}
