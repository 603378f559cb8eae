import type { Reflector } from '../../ports.ts';
import type { ReflectionInput } from '../../ports/reflection.ts';
import type { SelfReflection } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { capitalise } from '../../prompts/phrases.ts';
import { renderLessonClaim, lessonClaimsOf } from '../../prompts/lesson-claims.ts';
import { categoryOf } from './category.ts';
import { confidenceIn } from './confidence.ts';
import { assignCredit, renderCause, renderCredit } from './credit.ts';
import { gatherEvidence, type Evidence } from './evidence.ts';
import { renderNarrative } from './narrative.ts';
import { nextStep } from './steps/next-step.ts';

/** Upper bound for the text with which `boundText` marks a cut. */
const MARK_CHARS = 60;

/**
 * Creates a reflector without a model or network: deterministic. Its reflections say what was changed, what that did to
 * which failures, and one next step. Every statement is checked against the record of the attempt before it is written;
 * where the cause is not known, the step is one observation. Never rejects.
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
  const next = nextStep(evidence);
  const credit = assignCredit(evidence);
  const category = categoryOf(evidence);
  return {
    reflection_text: bounded(renderNarrative(evidence, next), 8000),
    credit_assignment: {
      failing_action_indices: credit.indices.slice(0, 2000),
      root_cause: bounded(renderCause(evidence), 2000),
      failure_category: category,
    },
    causal_reasoning: bounded(renderCredit(evidence, credit), 4000),
    actionable_insights: [bounded(`${capitalise(next)}.`, 1000)],
    lessons_learned: shownLessons(input),
    confidence: confidenceIn(evidence),
    related_reflections: related(evidence),
  };
}

/**
 * The lessons that the attempt shows, as sentences; none for a tree that the loop had before, and none that an edit did not fix
 * a test which was not seen to execute it.
 */
export function shownLessons(input: ReflectionInput): string[] {
  if ((input.loop?.sameTree.length ?? 0) > 0) return [];
  const { trace } = input;
  const ranBy = trace !== undefined && trace.ran.length > 0 ? trace.testId : undefined;
  return lessonClaimsOf({ ...input, ranBy }).map((claim) => bounded(renderLessonClaim(claim), 1000));
}

/** Iterations (0-based) of earlier attempts with the same failure. */
function related({ alike }: Evidence): number[] {
  return alike.map(({ iteration }) => iteration).slice(-50);
}

function bounded(text: string, limit: number): string {
  return text.length <= limit ? text : boundText(text, limit - MARK_CHARS);
}
