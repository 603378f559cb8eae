import type { LoopContext, ReflectionInput } from '../../../src/ports/reflection.ts';
import type {
  Action,
  CheckResult,
  Diagnostic,
  Evaluation,
  Reflection,
  SelfReflection,
  Tampering,
  Trajectory,
} from '../../../src/schema/generated.ts';

/** The parts of an attempt that a test sets. */
export interface Scenario {
  readonly iteration?: number;
  readonly before?: readonly Diagnostic[];
  readonly after?: readonly Diagnostic[];
  readonly rewards?: readonly [number, number];
  /** File → [removed line, added line], at line 12 of the file. */
  readonly edits?: Readonly<Record<string, readonly [string, string]>>;
  readonly actions?: readonly Action[];
  readonly trajectory?: Partial<Trajectory>;
  readonly checks?: readonly Partial<CheckResult>[];
  readonly evaluation?: Partial<Evaluation>;
  readonly tampering?: readonly Tampering[];
  readonly window?: readonly Reflection[];
}

/** A failure whose fingerprint depends on its parts without line and column, as in the evaluator. */
export function failure(parts: Partial<Diagnostic> = {}): Diagnostic {
  const stable = { ...parts, line: undefined, column: undefined };
  return {
    type: 'test_failure',
    message: 'AssertionError: expected values to be equal',
    severity: 'error',
    check: 'tests',
    file: 'test/range.test.ts',
    line: 8,
    rule: 'range > includes the end',
    ...parts,
    fingerprint: parts.fingerprint ?? digest(JSON.stringify(stable)),
  };
}

/** The input of a reflector for a scenario; by default one edit without effect. */
export function inputOf(scenario: Scenario = {}): ReflectionInput {
  const edits = scenario.edits ?? { 'src/range.ts': ['while (i < end) {', 'while (i <= end - 1) {'] };
  const [before, after] = scenario.rewards ?? [0.5, 0.5];
  const failures = [failure()];
  const previous = scenario.before ?? failures;
  return {
    task: 'Make the tests pass',
    iteration: scenario.iteration ?? 1,
    trajectory: trajectoryOf(scenario, Object.keys(edits)),
    patch: Object.entries(edits).map(patchOf).join(''),
    evaluation: {
      ...evaluationOf(scenario.after ?? previous, after, scenario.checks),
      ...scenario.evaluation,
    },
    previous: evaluationOf(previous, before),
    tampering: scenario.tampering ?? [],
    window: scenario.window ?? [],
    signal: new AbortController().signal,
    onWork: () => {},
  };
}

/** The stored reflection on an attempt. */
export function remembered(input: ReflectionInput, reflection: SelfReflection): Reflection {
  const files = [...input.patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map((match) => match[1]!);
  const { actions, rationale, strategy, ruled_out } = input.trajectory;
  const { reward, verification_type, metrics, checks, diagnostics } = input.evaluation;
  return {
    loop_id: 'ralph-scenario',
    iteration: input.iteration - 1,
    timestamp: '2026-01-25T10:00:00.000Z',
    task_description: input.task,
    reflector: { name: 'rules', fallback: false },
    actor_output: {
      ...{ actions, rationale, strategy, ruled_out, files_modified: files },
      total_changes: { files_changed: files.length, lines_added: files.length, lines_deleted: files.length },
    },
    evaluator_output: {
      ...{
        passed: false,
        verification_type,
        errors: diagnostics.slice(0, 100),
        reward_signal: reward,
        metrics,
      },
      results: checks.map(({ command, status }) => ({ tool: command, status })),
    },
    self_reflection: reflection,
    memory_metadata: {
      ...{ omega_capacity: 3, current_memory_size: 1, reflections_in_context: [input.iteration - 1] },
      ...{ window_policy: 'fifo', total_reflections_generated: input.iteration },
    },
    context_injected: input.window.length > 0,
    previous_reflections_used: input.window.map(({ iteration }) => iteration),
    performance_delta: {
      reward_change: reward - input.previous.reward,
      error_count_change: diagnostics.length - input.previous.diagnostics.length,
      is_improvement: reward > input.previous.reward,
    },
  };
}

/** A failed test check, with changes. */
export function check(parts: Partial<CheckResult> = {}): CheckResult {
  return {
    ...{ name: 'tests', kind: 'tests', tool: 'vitest', status: 'fail', passed: 3, failed: 1, skipped: 0 },
    ...{ total: 4, errors: 1, warnings: 0, weight: 1, score: 0.5, duration_ms: 900, exit_code: 1 },
    ...{
      detail: '3 of 4 tests passed.',
      command: 'vitest run',
      output: 'FAIL test/range.test.ts\n1 failed\n',
    },
    ...parts,
  };
}

function trajectoryOf({ actions, trajectory }: Scenario, files: readonly string[]): Trajectory {
  const edited = files.map((file): Action => ({
    type: 'code_modification',
    description: `Changed a line of ${file}`,
    file_path: file,
    changes: { additions: 1, deletions: 1 },
  }));
  return {
    ...{ actor: 'react', rationale: 'It looked right.', strategy: 'Change the condition', outcome: 'edited' },
    ...{ message: '', duration_ms: 5, actions: [...(actions ?? edited)], ruled_out: { tried: 0, edits: [] } },
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 },
    ...trajectory,
  };
}

function evaluationOf(
  diagnostics: readonly Diagnostic[],
  reward: number,
  checks: readonly Partial<CheckResult>[] = [{}],
): Evaluation {
  const count = (type: Diagnostic['type']): number => diagnostics.filter((one) => one.type === type).length;
  return {
    ...{ passed: false, reward, verification_type: 'combined', checks: checks.map(check) },
    ...{ diagnostics: [...diagnostics], delta: { fixed: [], same: [], new: [] } },
    metrics: {
      ...{ tests_passed: 3, tests_failed: count('test_failure'), tests_total: 4 },
      ...{ type_errors: count('type_error'), lint_errors: count('lint_error'), lint_warnings: 0 },
    },
    ...{ tests: [], missing_tests: [], duration_ms: 900 },
  };
}

function patchOf([file, [removed, added]]: [string, readonly [string, string]]): string {
  const context = [' before 1', ' before 2'];
  return [
    `diff --git a/${file} b/${file}`,
    'index 1111111..2222222 100644',
    `--- a/${file}`,
    `+++ b/${file}`,
    '@@ -10,4 +10,4 @@ export function range() {',
    ...context,
    `-${removed}`,
    `+${added}`,
    ' after 1',
    '',
  ].join('\n');
}

function digest(text: string): string {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) % 0xffffffffffff;
  return hash.toString(16).padStart(12, '0').slice(-12);
}

/** The loop of a first attempt, which the next one starts from. `root`: its repository. */
export function firstLoop(root: string, { evaluation }: Pick<ReflectionInput, 'evaluation'>): LoopContext {
  return { root, reflections: [], sameTree: [], sameChange: [], next: { from: 1, evaluation } };
}
