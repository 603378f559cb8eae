import { ACTOR_RULES } from './actor-rules.ts';
import { CHANGE_RULES } from './change-rules.ts';
import { CREDIT_RULES } from './credit-rules.ts';
import { LESSON_RULES } from './lesson-rules.ts';
import { RESULT_RULES } from './result-rules.ts';
import type { Rule } from './rule.ts';
import { STEP_RULES } from './step-rules.ts';
import { TRACE_RULES } from './trace-rules.ts';

/** Every form of a statement; the first one that fits decides. */
export const RULES: readonly Rule[] = [
  ...CHANGE_RULES,
  ...STEP_RULES,
  ...ACTOR_RULES,
  ...RESULT_RULES,
  ...TRACE_RULES,
  ...CREDIT_RULES,
  ...LESSON_RULES,
];
