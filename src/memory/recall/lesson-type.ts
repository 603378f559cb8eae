import type { AttemptOutcome } from '../../ports.ts';
import type { Diagnostic, LessonSubject, LessonType } from '../../schema/generated.ts';

const COMMAND = /`(npm|npx|pnpm|yarn|bun|node|git|make|docker|tsc|eslint|vitest|jest|mocha)\b[^`]*`/;
const DOING = /\b(run|use|execute|call|start|install)\b/i;
const SURROUNDINGS =
  /\b(environment variable|node_modules|is not installed|port \d+|peer dependency|lockfile)\b/i;
const MENDING = /\b(fix(es|ed)?|mend(s|ed)?|repair(s|ed)?|solve[sd]?)\b/i;
const RULE = /\b(must|always|never|only ever|required)\b/i;
/** Of a failure by what reported it. */
const BY_ERROR: Readonly<Partial<Record<Diagnostic['type'], LessonType>>> = {
  lint_error: 'convention',
  type_error: 'constraint',
  syntax_error: 'constraint',
};

/** What kind of lesson a text is, by its words and by the failures that it is about; a pitfall where nothing tells. */
export function typeOf(
  text: string,
  { reflection, evaluation, previous }: Pick<AttemptOutcome, 'reflection' | 'evaluation' | 'previous'>,
  about: readonly Diagnostic[],
): LessonType {
  const category = reflection?.self_reflection.credit_assignment.failure_category;
  if (COMMAND.test(text) && DOING.test(text)) return 'command';
  if (category === 'configuration_error' || SURROUNDINGS.test(text)) return 'environment';
  if (evaluation.reward > previous.reward && MENDING.test(text)) return 'fix_pattern';
  const kinds = new Set(about.map(({ type }) => BY_ERROR[type]));
  const [kind] = kinds;
  if (kinds.size === 1 && kind !== undefined) return kind;
  return RULE.test(text) ? 'constraint' : 'pitfall';
}

/** Whether a failure says something about how the agent works rather than about the project. */
export function subjectOf({ reflection }: Pick<AttemptOutcome, 'reflection'>): LessonSubject {
  const category = reflection?.self_reflection.credit_assignment.failure_category;
  return category === 'hallucination' || category === 'inefficient_planning' ? 'agent' : 'project';
}
