/** Loops as they are stored: the real loop with the real journal, state and reflections, over a scripted actor and evaluator. */
import { runLoop } from '../../src/loop/run.ts';
import { createMemory } from '../../src/memory/episodes/episodes.ts';
import type { ChangeSet, TreeId } from '../../src/ports/tree.ts';
import type {
  CheckResult,
  Diagnostic,
  Evaluation,
  SelfReflection,
  Tampering,
  Trajectory,
  Verdict,
} from '../../src/schema/generated.ts';
import { deltaOf } from '../../src/schema/compare-failures.ts';
import { freshState } from '../../src/loop/state.ts';
import { createRunStore } from '../../src/state/run-store.ts';
import { START_STEP } from '../../src/state/started-state.ts';
import { loopOptions, scriptedLoop, selfReflection, trajectory } from './scripted.ts';

/** One attempt as it is to be stored. */
export interface PlannedAttempt {
  readonly checks: readonly PlannedCheck[];
  readonly failures: readonly Diagnostic[];
  /** Unified diff against the base. */
  readonly patch: string;
  readonly files?: ChangeSet['files'];
  readonly trajectory?: Partial<Trajectory>;
  readonly tampering?: readonly Tampering[];
  readonly reflection?: Partial<SelfReflection>;
}

export type PlannedCheck = Pick<CheckResult, 'name' | 'weight' | 'score'> & Partial<CheckResult>;

export interface PlannedLoop {
  readonly loopId: string;
  readonly task?: string;
  readonly startedAt?: string;
  readonly baseline: Pick<PlannedAttempt, 'checks' | 'failures'>;
  readonly attempts: readonly PlannedAttempt[];
  /** Settings of the loop, as `ralph.config.json` has them. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Fewer than planned attempts are made where this is less. */
  readonly maxIterations?: number;
  /** What was delivered, said in a sentence. */
  readonly delivered?: string;
}

/** Stores a loop in a repository by running it; gives its verdict. */
export async function storeLoop(root: string, plan: PlannedLoop): Promise<Verdict> {
  const { loopId, task = 'Make it green.', startedAt = '2026-01-01T00:00:00.000Z', attempts } = plan;
  const scripted = scriptedLoop({ edits: [], judge: () => evaluationOf(plan.baseline) });
  const settings = { config: plan.config ?? {}, cwd: '', delivery: 'tree' };
  const options = loopOptions({
    ...{ task, startedAt, settings, maxIterations: plan.maxIterations ?? attempts.length },
  });
  const store = createRunStore({ repositoryRoot: root, loopId });
  const made = (tree: TreeId): PlannedAttempt | undefined => attempts[Number.parseInt(tree, 16) - 1];
  let current = treeOf(0);
  const ports = {
    ...scripted.ports,
    store,
    memory: createMemory({ repositoryRoot: root, onDamaged: () => {} }),
    actor: {
      name: 'scripted',
      attempt: ({ iteration }: { iteration: number }) => {
        current = treeOf(iteration);
        return Promise.resolve({ ...trajectory(), ...attempts[iteration - 1]?.trajectory });
      },
    },
    guard: {
      restoreProtected: () => Promise.resolve([...(made(current)?.tampering ?? [])]),
    },
    evaluator: {
      evaluate: ({ previous }: { previous?: Evaluation }) =>
        Promise.resolve(evaluationOf(made(current) ?? plan.baseline, previous)),
    },
    reflector: {
      reflect: ({ iteration }: { iteration: number }) =>
        Promise.resolve({
          reflection: { ...selfReflection(iteration), ...attempts[iteration - 1]?.reflection },
          reflector: { name: 'scripted', fallback: false },
        }),
    },
    workspace: {
      ...scripted.ports.workspace,
      base: treeOf(0),
      checkpoint: () => Promise.resolve(current),
      restore: (tree: TreeId) => Promise.resolve(void (current = tree)),
      changes: (_: TreeId, to: TreeId) => Promise.resolve(changesOf(made(to))),
    },
    delivery: {
      deliver: () =>
        Promise.resolve({
          ...{
            applied: 'tree' as const,
            conflict: false,
            message: plan.delivered ?? 'Applied to your tree.',
          },
        }),
    },
  };
  const fresh = freshState({ loopId, actor: 'scripted', baseTree: treeOf(0), ...options });
  await store.step(START_STEP, () => Promise.resolve(fresh));
  await store.saveState(fresh);
  return runLoop(ports, options);
}

/** Tree ids are numbers here: that of the attempt which made it. */
function treeOf(iteration: number): TreeId {
  return iteration.toString(16).padStart(40, '0');
}

function changesOf(attempt: PlannedAttempt | undefined): ChangeSet {
  const file = { path: 'src/cart.ts', kind: 'modified', linesAdded: 1, linesDeleted: 1 } as const;
  const files = attempt === undefined ? [] : (attempt.files ?? [file]);
  const sum = (key: 'linesAdded' | 'linesDeleted'): number =>
    files.reduce((total, one) => total + one[key], 0);
  return {
    files,
    linesAdded: sum('linesAdded'),
    linesDeleted: sum('linesDeleted'),
    patch: attempt?.patch ?? '',
  };
}

function evaluationOf(
  { checks, failures }: Pick<PlannedAttempt, 'checks' | 'failures'>,
  previous?: Evaluation,
): Evaluation {
  const results = checks.map((check): CheckResult => {
    const isGreen = check.score === 1;
    const errors = failures.filter((failure) => failure.check === check.name).length;
    return {
      ...{
        kind: check.name === 'types' ? 'types' : check.name === 'lint' ? 'lint' : 'tests',
        tool: 'command',
      },
      ...{
        status: isGreen ? 'pass' : 'fail',
        passed: 0,
        failed: 0,
        skipped: 0,
        total: 0,
        errors,
        warnings: 0,
      },
      ...{ duration_ms: 900, exit_code: isGreen ? 0 : 1, detail: `${errors} errors.` },
      ...{ command: `run ${check.name}`, output: isGreen ? '' : 'it failed' },
      ...check,
    };
  });
  const passed = results.every(({ score }) => score === 1);
  const judged = { passed, diagnostics: [...failures], checks: results, tests: [] };
  return {
    passed,
    reward: results.reduce((sum, { weight, score }) => sum + weight * score, 0),
    verification_type: 'combined',
    checks: results,
    diagnostics: [...failures],
    delta: deltaOf(judged, previous),
    metrics: {
      ...{ tests_passed: 0, tests_failed: failures.length, tests_total: failures.length },
      ...{ type_errors: 0, lint_errors: 0, lint_warnings: 0 },
    },
    tests: [],
    missing_tests: [],
    duration_ms: 1_200,
  };
}

/** A failing test of this name. */
export function failingTest(name: string, over: Partial<Diagnostic> = {}): Diagnostic {
  return {
    type: 'test_failure',
    check: 'tests',
    message: `AssertionError: expected 1 to be 2 in ${name}`,
    severity: 'error',
    fingerprint: Buffer.from(name).toString('hex').padEnd(12, '0').slice(-12),
    file: 'test/cart.test.ts',
    line: 12,
    rule: name,
    test_id: `test/cart.test.ts > ${name}`,
    expected: '2',
    received: '1',
    ...over,
  };
}

/** A patch of one file as git writes it: each edit replaces one line, three lines of context around it. */
export function patchOf(
  path: string,
  edits: readonly { readonly line: number; readonly before: string; readonly after: string }[],
): string {
  const hunks = edits.map(({ line, before, after }) => {
    const around = [-3, -2, -1].map((offset) => ` const kept${line + offset} = ${line + offset};`);
    const behind = [1, 2, 3].map((offset) => ` const kept${line + offset} = ${line + offset};`);
    return [
      `@@ -${line - 3},7 +${line - 3},7 @@ export function around${line}(): void {`,
      ...around,
      `-${before}`,
      `+${after}`,
      ...behind,
    ].join('\n');
  });
  return `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join('\n')}\n`;
}
