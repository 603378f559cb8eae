import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AiwgRecord } from '../../src/memory/episodes/aiwg-record.ts';
import { reflectionPath, type ReflectionRecord } from '../../src/memory/episodes/reflection-files.ts';
import type { FailureCategory, Reflection } from '../../src/schema/generated.ts';

/** Fields of a sample reflection that a test changes. */
export interface SampleChange {
  readonly loop?: string;
  readonly iteration?: number;
  readonly timestamp?: string;
  readonly task?: string;
  readonly text?: string;
  readonly category?: FailureCategory;
  readonly confidence?: number;
  readonly insights?: string[];
  readonly lessons?: string[];
  readonly files?: string[];
  readonly errors?: Reflection['evaluator_output']['errors'];
}

/** A complete record that satisfies ralph's schema. */
export function sampleReflection(change: SampleChange = {}): Reflection {
  const iteration = change.iteration ?? 0;
  return {
    loop_id: change.loop ?? 'ralph-sample',
    iteration,
    timestamp: change.timestamp ?? '2026-01-25T10:00:00.000Z',
    task_description: change.task ?? 'Fix the parser',
    reflector: { name: 'rules', fallback: false },
    actor_output: {
      actions: [
        { type: 'code_modification', description: 'Changed src/parse.ts', file_path: 'src/parse.ts' },
      ],
      rationale: 'The parser drops the last item.',
      strategy: 'Read, then edit',
      files_modified: change.files ?? ['src/parse.ts'],
      total_changes: { files_changed: 1, lines_added: 1, lines_deleted: 1 },
    },
    evaluator_output: {
      passed: false,
      verification_type: 'unit_tests',
      results: [{ tool: 'vitest run', status: 'fail', exit_code: 1, duration_ms: 10 }],
      errors: change.errors ?? [],
      reward_signal: 0.5,
      metrics: {
        ...{ tests_passed: 1, tests_failed: 1, tests_total: 2 },
        ...{ type_errors: 0, lint_errors: 0, lint_warnings: 0 },
      },
    },
    self_reflection: {
      reflection_text:
        change.text ?? `In attempt ${iteration + 1} I changed the bound in src/parse.ts:12. `.repeat(3),
      credit_assignment: {
        failing_action_indices: [0],
        root_cause: 'The bound in src/parse.ts:12 is one too low.',
        failure_category: change.category ?? 'edge_case_miss',
      },
      causal_reasoning: 'The loop ends before the last item.',
      actionable_insights: change.insights ?? ['Change `<` to `<=` in src/parse.ts:12.'],
      lessons_learned: change.lessons ?? ['src/parse.ts is covered by test/parse.test.ts.'],
      confidence: change.confidence ?? 0.7,
      related_reflections: [],
    },
    memory_metadata: {
      omega_capacity: 1,
      current_memory_size: 1,
      reflections_in_context: [iteration],
      window_policy: 'fifo',
      total_reflections_generated: iteration + 1,
    },
    context_injected: false,
    previous_reflections_used: [],
    performance_delta: { reward_change: 0, error_count_change: 0, is_improvement: false },
  };
}

/** AIWG's minimal record, which violates ralph's schema. */
export function sampleAiwgRecord(loop = 'ralph-foreign'): AiwgRecord {
  return {
    loop_id: loop,
    iteration: 1,
    timestamp: '2026-01-20T10:00:00Z',
    actor_output: { actions: [{ type: 'other', description: 'Thought' }], rationale: 'None' },
    evaluator_output: { passed: false, verification_type: 'heuristic' },
    self_reflection: { reflection_text: 'The webhook was empty.' },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  };
}

/** A record as `readReflections` returns it. */
export function toRecord(reflection: Reflection): ReflectionRecord {
  const path = reflectionPath(reflection.loop_id, reflection.iteration);
  return { path, number: reflection.iteration + 1, source: 'ralph', reflection };
}

/** Writes a value or a text to a path below the repository's root. */
export function put(root: string, path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/** A file of the shared test data beside the project; undefined where it does not exist. */
export function sharedData(name: string): string | undefined {
  try {
    return readFileSync(join(import.meta.dirname, '../../../shared/data', name), 'utf8');
  } catch {
    return undefined;
  }
}
