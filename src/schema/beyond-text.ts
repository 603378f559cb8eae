import type { Reflection } from './generated.ts';

/** The parts of a reflection that say what was learned; foreign records lack some. */
interface SaidReflection {
  readonly reflector?: Pick<Reflection['reflector'], 'name'> | undefined;
  readonly self_reflection: {
    readonly reflection_text: string;
    readonly actionable_insights?: readonly string[] | undefined;
    readonly lessons_learned?: readonly string[] | undefined;
  };
}

/**
 * Advice and lessons that the text of a reflection does not have itself: the text of the rules ends with their one step,
 * and their lessons are made from its first lines.
 */
export function beyondText({ reflector, self_reflection: self }: SaidReflection): {
  readonly insights: readonly string[];
  readonly lessons: readonly string[];
} {
  const said = folded(self.reflection_text);
  const isNew = (text: string): boolean => !said.includes(folded(text).replace(/\.$/, ''));
  return {
    insights: (self.actionable_insights ?? []).filter(isNew),
    lessons: reflector?.name === 'rules' ? [] : (self.lessons_learned ?? []).filter(isNew),
  };
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
