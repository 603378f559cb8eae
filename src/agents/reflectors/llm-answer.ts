import { stripVTControlCharacters } from 'node:util';
import type { ReflectionInput } from '../../ports/reflection.ts';
import type { SelfReflection } from '../../schema/generated.ts';
import { selfReflectionSchema, validateSelfReflection, type SchemaProblem } from '../../schema/validate.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import { sentencesOf } from '../../platform/text/sentences.ts';
import { findUntruths } from './model/grounding.ts';
import { assessReflection } from './quality.ts';

/** Assessment of a model's reply; the reflection of a good one is as the model wrote it. */
export type Answer =
  | { readonly ok: true; readonly reflection: SelfReflection }
  /** `broken`: does not match the schema. `weak`: says something untrue or forbidden, or too little. */
  | { readonly ok: false; readonly flaw: 'broken' | 'weak'; readonly reasons: readonly string[] };

/**
 * Parses and assesses the reflection in a reply. Texts above their maximum length are cut, unknown action and attempt
 * numbers are dropped, and control characters are removed; everything else must pass the schema, the look-up of what it
 * says in the record of the attempt, and the quality gate.
 */
export function judgeReply(reply: string, input: ReflectionInput): Answer {
  const schema = selfReflectionSchema() as Bounds;
  const found = findAnswer(reply, Object.keys(schema.properties ?? {}));
  if (typeof found === 'string') return { ok: false, flaw: 'broken', reasons: [found] };
  const checked = validateSelfReflection(dropUnknown(fitTo(schema, found), input));
  if (!checked.ok) return { ok: false, flaw: 'broken', reasons: checked.problems.map(describeProblem) };
  const improved = input.evaluation.reward > input.previous.reward;
  const weaknesses = assessReflection(checked.value, { window: input.window, improved });
  const reasons = [...findUntruths(checked.value, input), ...weaknesses];
  return reasons.length === 0
    ? { ok: true, reflection: inLines(checked.value) }
    : { ok: false, flaw: 'weak', reasons };
}

/** The reflection with each sentence of its text on a line of its own. */
function inLines(reflection: SelfReflection): SelfReflection {
  return { ...reflection, reflection_text: sentencesOf(reflection.reflection_text).join('\n') };
}

/** The limits of a JSON schema for texts and lists. */
interface Bounds {
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Bounds;
  readonly properties?: Readonly<Record<string, Bounds>>;
}

function fitTo(bounds: Bounds | undefined, value: unknown): unknown {
  if (bounds === undefined) return value;
  if (typeof value === 'string') return bounds.maxLength === undefined ? value : fit(value, bounds.maxLength);
  if (Array.isArray(value)) return value.slice(0, bounds.maxItems).map((item) => fitTo(bounds.items, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fitTo(bounds.properties?.[key], item)]),
  );
}

/** Upper bound for the text with which `boundText` marks a cut. */
const MARK_CHARS = 60;

/** Text of a model as one line, because it is printed in a terminal and after a label in the next prompt. */
function fit(text: string, limit: number): string {
  const flat = flatten(text);
  return flat.length <= limit ? flat : flatten(boundText(flat, limit - MARK_CHARS));
}

function flatten(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim();
}

/** The answer without numbers of actions and iterations that do not exist. */
function dropUnknown(answer: unknown, { iteration, trajectory }: ReflectionInput): unknown {
  const { credit_assignment: credit, related_reflections: related } = answer as Loose;
  return {
    ...(answer as object),
    ...(credit === undefined ? {} : { credit_assignment: dropActions(credit, trajectory.actions.length) }),
    ...(related === undefined ? {} : { related_reflections: numbersBelow(related, iteration - 1) }),
  };
}

interface Loose {
  readonly credit_assignment?: unknown;
  readonly related_reflections?: unknown;
}

function dropActions(credit: unknown, count: number): unknown {
  if (typeof credit !== 'object' || credit === null || !('failing_action_indices' in credit)) return credit;
  return { ...credit, failing_action_indices: numbersBelow(credit.failing_action_indices, count) };
}

/** The numbers below `end` without duplicates; other values are kept, so that the schema rejects them. */
function numbersBelow(numbers: unknown, end: number): unknown {
  if (!Array.isArray(numbers)) return numbers;
  const known = numbers.filter((number) => !Number.isInteger(number) || (number >= 0 && number < end));
  return [...new Set<unknown>(known)];
}

function describeProblem({ path, message, params }: SchemaProblem): string {
  const { additionalProperty, allowedValues } = params;
  const named = typeof additionalProperty === 'string' ? `: "${additionalProperty}"` : '';
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return `${path === '' ? 'The object' : path} ${message}${named}${allowed}.`;
}
