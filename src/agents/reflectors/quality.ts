import { plural } from '../../platform/text/plural.ts';
import { sentencesOf } from '../../platform/text/sentences.ts';
import type { Reflection, SelfReflection } from '../../schema/generated.ts';

/** Context in which a reflection is assessed. */
export interface QualityContext {
  /** Reflections that the actor has already seen. */
  readonly window: readonly Reflection[];
  /** The attempt has a higher reward than its starting point. */
  readonly improved: boolean;
}

const MIN_CHARS = 100;
/** Lines of a reflection; in a text on one line, its sentences. */
const MOST_LINES = 6;
const MIN_CONFIDENCE = 0.5;
const REPEAT_OVERLAP = 0.9;
const SHINGLE_WORDS = 3;

/** Advice that fits any failure. */
const GENERIC =
  /\b(be (more )?(careful|thorough|attentive)|(test|check|review|verify) (it |everything |the code |my (code|work|changes) )?(more )?(thoroughly|carefully|properly)|(double|triple)[- ]check (everything|the code|my (work|code))|pay (more |closer )?attention|try (harder|again|something else|a different approach)\W*$|do better|think (harder|more carefully)|make sure (everything|it|the code) (works|is correct)|handle (all )?(the )?edge cases\W*$|fix the (bug|error|issue|problem)s?\W*$|improve the (code|implementation)\W*$|follow best practices|write (better|cleaner) code)/i;

/** A concrete reference: a file, a line, an identifier, a quoted text, a call, a number. */
const CONCRETE =
  /[\w-]+\.[a-z]{1,4}\b|`[^`]+`|"[^"]+"|'[^']+'|\bline \d+|\b\w+\(|\bTS\d{3,5}\b|\b[a-z]+[A-Z_]\w*|\d/;

/**
 * The weaknesses of a reflection, one sentence each; empty for a good one. The indicators are those of AIWG's reflection
 * guide, and its length: too short, too long, no insight, no credit, low confidence without improvement, generic, repeated.
 */
export function assessReflection(reflection: SelfReflection, { window, improved }: QualityContext): string[] {
  const { reflection_text: text, confidence } = reflection;
  const length = text.trim().length;
  const count = text.includes('\n') ? text.split('\n').length : sentencesOf(text).length;
  const repeated = findRepeated(text, window);
  return [
    length < MIN_CHARS && `The text has ${plural(length, 'character')}; at least ${MIN_CHARS} are required.`,
    count > MOST_LINES && `The text has ${count} sentences; at most ${MOST_LINES} are allowed.`,
    !hasInsight(reflection) && 'No insight names a place, a value or a step to act on.',
    !hasCredit(reflection) &&
      'No action is named as the cause, and the root cause names no place, value or symbol.',
    confidence < MIN_CONFIDENCE &&
      !improved &&
      `The confidence is ${confidence}, below ${MIN_CONFIDENCE}, and the attempt did not improve the reward.`,
    ...findGeneric(reflection),
    repeated !== undefined && `The text repeats the reflection of iteration ${repeated}.`,
  ].filter((reason) => typeof reason === 'string');
}

/** Similarity of two texts, 0..1: Jaccard index of their three-word sequences, ignoring case and punctuation. */
export function overlap(one: string, other: string): number {
  const [a, b] = [shingles(one), shingles(other)];
  const common = [...a].filter((shingle) => b.has(shingle)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

function hasInsight({ actionable_insights }: SelfReflection): boolean {
  return actionable_insights.some((insight) => insight.trim().length >= 15 && CONCRETE.test(insight));
}

function hasCredit({ credit_assignment }: SelfReflection): boolean {
  const { failing_action_indices, root_cause } = credit_assignment;
  return failing_action_indices.length > 0 || CONCRETE.test(root_cause);
}

function findGeneric({ actionable_insights, lessons_learned, reflection_text }: SelfReflection): string[] {
  const sentences = [...actionable_insights, ...lessons_learned, ...sentencesOf(reflection_text)];
  const generic = sentences.find((sentence) => GENERIC.test(sentence) && !CONCRETE.test(sentence));
  return generic === undefined ? [] : [`This fits any failure: "${generic.trim().slice(0, 120)}"`];
}

function findRepeated(text: string, window: readonly Reflection[]): number | undefined {
  return window.find(
    ({ self_reflection }) => overlap(text, self_reflection.reflection_text) >= REPEAT_OVERLAP,
  )?.iteration;
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < SHINGLE_WORDS) return new Set(words.length === 0 ? [] : [words.join(' ')]);
  return new Set(
    words.slice(SHINGLE_WORDS - 1).map((_, at) => words.slice(at, at + SHINGLE_WORDS).join(' ')),
  );
}
