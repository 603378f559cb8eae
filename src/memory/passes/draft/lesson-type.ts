import type { AttemptOutcome } from '../../../ports/memory.ts';
import type { Diagnostic, LessonSubject, LessonType } from '../../../schema/generated.ts';

const COMMAND = /`(npm|npx|pnpm|yarn|bun|node|git|make|docker|tsc|eslint|vitest|jest|mocha)\b[^`]*`/;
const COMMAND_VERB = /\b(run|use|execute|call|start|install)\b/i;
const ENVIRONMENT =
  /\b(environment variable|node_modules|is not installed|port \d+|peer dependency|lockfile)\b/i;
const FIX_VERB = /\b(fix(es|ed)?|mend(s|ed)?|repair(s|ed)?|solve[sd]?)\b/i;
const RULE = /\b(must|always|never|only ever|required)\b/i;
/** Type of a lesson about errors of one kind. */
const BY_ERROR: Readonly<Partial<Record<Diagnostic['type'], LessonType>>> = {
  lint_error: 'convention',
  type_error: 'constraint',
  syntax_error: 'constraint',
};

/** The type of a lesson, from its wording and the failures that it is about; `pitfall` where nothing else applies. */
export function typeOf(
  text: string,
  { reflection, evaluation, previous }: Pick<AttemptOutcome, 'reflection' | 'evaluation' | 'previous'>,
  failures: readonly Diagnostic[],
): LessonType {
  const category = reflection?.self_reflection.credit_assignment.failure_category;
  if (COMMAND.test(text) && COMMAND_VERB.test(text)) return 'command';
  if (category === 'configuration_error' || ENVIRONMENT.test(text)) return 'environment';
  if (evaluation.reward > previous.reward && FIX_VERB.test(text)) return 'fix_pattern';
  const types = new Set(failures.map(({ type }) => BY_ERROR[type]));
  const [type] = types;
  if (types.size === 1 && type !== undefined) return type;
  return RULE.test(text) ? 'constraint' : 'pitfall';
}

/** `agent` for a reflection on how the agent works, such as a hallucination; else `project`. */
export function subjectOf({ reflection }: Pick<AttemptOutcome, 'reflection'>): LessonSubject {
  const category = reflection?.self_reflection.credit_assignment.failure_category;
  return category === 'hallucination' || category === 'inefficient_planning' ? 'agent' : 'project';
}
