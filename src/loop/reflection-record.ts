import type { ReflectorOutput } from '../ports/reflection.ts';
import type { Evaluation, Reflection, ToolResult, WindowPolicy } from '../schema/generated.ts';
import { isBetter, reportedErrors, type Attempt } from './attempt.ts';
import { summarizeRuledOut } from './ruled-out.ts';

const MAX_ERRORS = 100;
const MAX_OUTPUT_CHARS = 4000;

export interface RecordInput extends ReflectorOutput {
  readonly loopId: string;
  readonly task: string;
  readonly attempt: Omit<Attempt, 'best' | 'accepted' | 'unproven'>;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /** Evaluation after the attempt before this one; the baseline for the first. */
  readonly before: Evaluation;
  /** Reflections that this attempt was shown. */
  readonly window: readonly Reflection[];
  /** Earlier reflections that stay in the window of the next attempt. */
  readonly kept: readonly Reflection[];
  readonly omega: number;
  readonly policy: WindowPolicy;
}

/** The episodic record of one failed attempt, `NNN.json`. It satisfies ralph's schema and AIWG's reflection-memory schema. */
export function reflectionRecord(input: RecordInput): Reflection {
  const { attempt, window, omega } = input;
  const index = attempt.iteration - 1;
  const lessons = attempt.trajectory.memory?.lessons ?? [];
  const inContext = [...input.kept.map(({ iteration }) => iteration), index].slice(-omega);
  return {
    loop_id: input.loopId,
    iteration: index,
    timestamp: new Date().toISOString(),
    task_description: input.task,
    reflector: input.reflector,
    actor_output: actorOutput(attempt),
    evaluator_output: evaluatorOutput(attempt.evaluation),
    self_reflection: input.reflection,
    memory_metadata: {
      omega_capacity: omega,
      current_memory_size: inContext.length,
      reflections_in_context: inContext,
      window_policy: input.policy,
      total_reflections_generated: index + 1,
    },
    context_injected: window.length > 0,
    // Reflections of earlier loops are left out, because their numbers would be read as this loop's.
    previous_reflections_used: window
      .filter(({ loop_id }) => loop_id === input.loopId)
      .map(({ iteration }) => iteration),
    previous_lessons_used: lessons.length > 0 ? [...lessons] : undefined,
    performance_delta: {
      reward_change: attempt.evaluation.reward - input.before.reward,
      error_count_change: reportedErrors(attempt.evaluation) - reportedErrors(input.before),
      is_improvement: isBetter(attempt.evaluation, input.previous),
    },
  };
}

function actorOutput({ trajectory, changes }: RecordInput['attempt']): Reflection['actor_output'] {
  return {
    actions: trajectory.actions,
    rationale: trajectory.rationale,
    strategy: trajectory.strategy,
    files_modified: changes.files.map(({ path }) => path).slice(0, 2000),
    total_changes: {
      files_changed: changes.files.length,
      lines_added: changes.linesAdded,
      lines_deleted: changes.linesDeleted,
    },
    ruled_out: summarizeRuledOut(trajectory.ruled_out),
  };
}

function evaluatorOutput(evaluation: Evaluation): Reflection['evaluator_output'] {
  return {
    passed: false,
    verification_type: evaluation.verification_type,
    results: evaluation.checks.map((check) => toToolResult(check, evaluation)),
    errors: evaluation.diagnostics.filter(({ severity }) => severity === 'error').slice(0, MAX_ERRORS),
    reward_signal: evaluation.reward,
    metrics: evaluation.metrics,
  };
}

function toToolResult(check: Evaluation['checks'][number], evaluation: Evaluation): ToolResult {
  return {
    tool: check.command,
    status: check.status,
    exit_code: check.exit_code ?? undefined,
    stdout: printedBy(check, evaluation).slice(-MAX_OUTPUT_CHARS),
    duration_ms: check.duration_ms,
  };
}

/**
 * The output of a check. A runner that reports to ralph prints nothing; for one, its summary and the messages of its
 * failures.
 */
function printedBy(check: Evaluation['checks'][number], { diagnostics }: Evaluation): string {
  if (check.output.trim() !== '') return check.output;
  const messages = diagnostics
    .filter((diagnostic) => diagnostic.check === check.name)
    .map(({ file, rule, message }) => [file, rule, message].filter((part) => part !== undefined).join(': '));
  return [check.detail, ...messages].join('\n');
}
