import type { AiwgRecord } from '../episodes/aiwg-record.ts';

/** Where words are looked for, and what one of them weighs there. The index has a column for each, in this order. */
export const FIELDS = { task: 2, text: 2, insights: 3, lessons: 3, errors: 1 } as const;

export type Field = keyof typeof FIELDS;

/** Letters and digits, at most so many; everything else stands between terms. */
const TERM = /[\p{L}\p{M}\p{N}]{1,200}/gu;
/** Is no term, so that no phrase reaches from one text into the next. */
const GAP = '¶';
const LEAST_TO_BEGIN = 3;

/** Terms in a row: a word such as `src/parse.ts` is three. */
export interface Phrase {
  readonly terms: readonly string[];
  /** The last term may be the beginning of a longer one. */
  readonly begins: boolean;
}

/** The terms of a text, in order; capitals and compatibility forms do not matter. */
export function termsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').match(TERM) ?? [];
}

/** What words ask for, each once; those without a letter or a digit ask for nothing. */
export function phrasesOf(words: readonly string[]): Phrase[] {
  const texts = new Set(words.map((word) => termsOf(word).join(' ')).filter((text) => text !== ''));
  return [...texts].map((text) => {
    const terms = text.split(' ');
    return { terms, begins: terms.at(-1)!.length >= LEAST_TO_BEGIN };
  });
}

/** The terms of a reflection by field; one list for each of `FIELDS`, in its order. */
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
  return (Object.keys(FIELDS) as Field[]).map((field) => termsOfTexts(texts[field]));
}

/** The terms of several texts; no phrase reaches from one into the next. */
export function termsOfTexts(texts: readonly (string | undefined)[]): string[] {
  const lists = texts.filter((text) => text !== undefined).map(termsOf);
  return lists.flatMap((terms, index) => (index === 0 ? terms : [GAP, ...terms]));
}
