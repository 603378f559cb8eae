import type { AiwgRecord } from '../episodes/aiwg-record.ts';
import { joinedTerms } from '../text/full-text.ts';

/** Searched fields of a reflection with their weights in the score. The index has one column each, in this order. */
export const FIELDS = { task: 2, text: 2, insights: 3, lessons: 3, errors: 1 } as const;

type Field = keyof typeof FIELDS;

/** The terms of a reflection: one list per field, in the order of `FIELDS`. */
export function fieldTerms({ task_description, self_reflection, evaluator_output }: AiwgRecord): string[][] {
  const { reflection_text, causal_reasoning, credit_assignment } = self_reflection;
  const errors = (evaluator_output.errors ?? []).flatMap(({ message, rule, file }) => [message, rule, file]);
  const texts: Record<Field, readonly (string | undefined)[]> = {
    task: [task_description],
    text: [reflection_text, causal_reasoning, credit_assignment?.root_cause],
    insights: self_reflection.actionable_insights ?? [],
    lessons: self_reflection.lessons_learned ?? [],
    errors,
  };
  return (Object.keys(FIELDS) as Field[]).map((field) => joinedTerms(texts[field]));
}
