import type {
  Action,
  Diagnostic,
  FailureCategory,
  PerformanceDelta,
  ToolResult,
  VerificationType,
} from '../../schema/generated.ts';
import { validatorOfSchema, type SchemaProblem } from '../../schema/validate.ts';

/**
 * A reflection by AIWG's looser schema, which requires seven fields and little inside them. Every reflection of ralph
 * satisfies it too.
 */
export interface AiwgRecord {
  readonly loop_id: string;
  readonly iteration: number;
  readonly timestamp: string;
  readonly task_description?: string;
  /** True for one that the user imported. */
  readonly imported?: true;
  readonly actor_output: {
    readonly actions: readonly Pick<Action, 'type' | 'description' | 'file_path' | 'command'>[];
    readonly rationale: string;
    readonly strategy?: string;
    readonly files_modified?: readonly string[];
  };
  readonly evaluator_output: {
    readonly passed: boolean;
    readonly verification_type: VerificationType;
    readonly results?: readonly ToolResult[];
    readonly errors?: readonly Pick<Diagnostic, 'type' | 'message' | 'file' | 'line' | 'rule'>[];
    readonly reward_signal?: number;
  };
  readonly self_reflection: {
    readonly reflection_text: string;
    readonly credit_assignment?: {
      readonly failing_action_indices?: readonly number[];
      readonly root_cause?: string;
      readonly failure_category?: FailureCategory;
    };
    readonly causal_reasoning?: string;
    readonly actionable_insights?: readonly string[];
    readonly lessons_learned?: readonly string[];
    readonly confidence?: number;
    readonly related_reflections?: readonly number[];
  };
  readonly memory_metadata: { readonly omega_capacity: number; readonly current_memory_size: number };
  readonly performance_delta?: Partial<PerformanceDelta>;
}

let check: ReturnType<typeof validatorOfSchema> | undefined;

/** Violations of AIWG's published reflection-memory schema (draft 2020-12); empty for a valid value. */
export function aiwgProblems(value: unknown): readonly SchemaProblem[] {
  check ??= validatorOfSchema(RECORD);
  return check(value);
}

/** True for a value that AIWG's tools accept as a reflection. */
export function isAiwgRecord(value: unknown): value is AiwgRecord {
  return aiwgProblems(value).length === 0;
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const WHOLE = { type: 'integer' };
const WHOLES = { type: 'array', items: WHOLE };
const COUNT = { type: 'integer', minimum: 0 };
const SHARE = { type: 'number', minimum: 0, maximum: 1 };
const TIME = { type: 'string', format: 'date-time' };

const ACTION = record(['type', 'description'], {
  type: oneOf(
    'code_modification file_creation file_deletion test_execution command_execution api_call other',
  ),
  description: TEXT,
  file_path: TEXT,
  command: TEXT,
  timestamp: TIME,
  changes: record([], { additions: WHOLE, deletions: WHOLE, diff: TEXT }),
});

const RESULT = record(['tool', 'status'], {
  tool: TEXT,
  status: oneOf('pass fail error skip'),
  exit_code: WHOLE,
  stdout: TEXT,
  stderr: TEXT,
  duration_ms: WHOLE,
});

const ERROR = record(['type', 'message'], {
  type: oneOf('syntax_error type_error test_failure lint_error runtime_error logic_error timeout other'),
  message: TEXT,
  file: TEXT,
  line: WHOLE,
  column: WHOLE,
  stack_trace: TEXT,
  severity: oneOf('error warning info'),
  rule: TEXT,
});

const METRICS = record([], {
  tests_passed: WHOLE,
  tests_failed: WHOLE,
  tests_total: WHOLE,
  coverage_percentage: { type: 'number', minimum: 0, maximum: 100 },
  lint_errors: WHOLE,
  lint_warnings: WHOLE,
  type_errors: WHOLE,
});

const ACTOR_OUTPUT = record(['actions', 'rationale'], {
  actions: { type: 'array', items: ACTION },
  rationale: TEXT,
  strategy: TEXT,
  files_modified: TEXTS,
  total_changes: record([], { files_changed: WHOLE, lines_added: WHOLE, lines_deleted: WHOLE }),
});

const EVALUATOR_OUTPUT = record(['passed', 'verification_type'], {
  passed: { type: 'boolean' },
  verification_type: oneOf(
    'unit_tests integration_tests type_check lint compilation heuristic external_api manual_review combined',
  ),
  results: { type: 'array', items: RESULT },
  errors: { type: 'array', items: ERROR },
  reward_signal: SHARE,
  metrics: METRICS,
});

const SELF_REFLECTION = record(['reflection_text'], {
  reflection_text: TEXT,
  credit_assignment: record([], {
    failing_action_indices: WHOLES,
    root_cause: TEXT,
    failure_category: oneOf(
      'hallucination inefficient_planning incorrect_assumption incomplete_implementation ' +
        'edge_case_miss integration_error configuration_error logic_error other',
    ),
  }),
  causal_reasoning: TEXT,
  actionable_insights: TEXTS,
  lessons_learned: TEXTS,
  confidence: SHARE,
  related_reflections: WHOLES,
});

const MEMORY_METADATA = record(['omega_capacity', 'current_memory_size'], {
  omega_capacity: { type: 'integer', minimum: 1, maximum: 10 },
  current_memory_size: COUNT,
  reflections_in_context: WHOLES,
  window_policy: oneOf('fifo recency relevance_weighted'),
  total_reflections_generated: COUNT,
});

const RECORD = record(
  [
    'loop_id',
    'iteration',
    'timestamp',
    'actor_output',
    'evaluator_output',
    'self_reflection',
    'memory_metadata',
  ],
  {
    loop_id: { type: 'string', pattern: '^ralph-[a-z0-9-]+$' },
    iteration: COUNT,
    timestamp: TIME,
    task_description: TEXT,
    actor_output: ACTOR_OUTPUT,
    evaluator_output: EVALUATOR_OUTPUT,
    self_reflection: SELF_REFLECTION,
    memory_metadata: MEMORY_METADATA,
    context_injected: { type: 'boolean' },
    previous_reflections_used: WHOLES,
    performance_delta: record([], {
      reward_change: { type: 'number' },
      error_count_change: WHOLE,
      is_improvement: { type: 'boolean' },
    }),
    notes: TEXT,
  },
);

function record(required: readonly string[], properties: Record<string, object>): object {
  return { type: 'object', required, properties };
}

function oneOf(words: string): object {
  return { type: 'string', enum: words.split(' ') };
}
