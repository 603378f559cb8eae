import type { ReflectionInput, Reflector } from '../../ports.ts';
import type { SelfReflection } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { confidenceIn } from './confidence.ts';
import { diagnose, type Diagnosis } from './diagnosis.ts';
import { gatherEvidence, type Evidence } from './evidence.ts';
import { renderInsights, renderLessons } from './insights.ts';
import { renderNarrative, renderReasoning } from './narrative.ts';

/** Upper bound for the text with which `boundText` marks a cut. */
const MARK_CHARS = 60;

/**
 * Creates a reflector that applies rules to structured evidence: deterministic, without a model or network. Its
 * reflections cite files, lines, tests and values, the effect of the edits, the cause and the next place. Never rejects.
 */
export function createRulesReflector(): Reflector {
  return {
    reflect: (input) =>
      Promise.resolve({ reflection: reflectByRules(input), reflector: { name: 'rules', fallback: false } }),
  };
}

/** Reflects on one failed attempt by rules; the result is always within the limits of the schema. */
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

/** Iterations (0-based) with the same failure or category, and the iterations that these refer to. */
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
