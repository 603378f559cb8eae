/** Deterministic adapters for the loop's own tests: each does what its script says, and nothing else. */
import type { RunEvent } from '../../src/events.ts';
import type { LoopOptions, LoopPorts } from '../../src/loop/options.ts';
import type { Actor, Bench, Evaluator, Memory, RunStore, Workspace } from '../../src/ports.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import type { ChangeSet, DeliveryOutcome } from '../../src/ports/tree.ts';
import type {
  Diagnostic,
  Evaluation,
  LoopState,
  Reflection,
  Tampering,
  Trajectory,
} from '../../src/schema/generated.ts';

/** A tree is the text of its one file. */
export interface Script {
  /** What the actor makes of the file, attempt by attempt; a function may look at the context, or throw. */
  readonly edits: readonly (string | ((context: AttemptContext) => string | Promise<string>))[];
  /** What the evaluator sees of a tree. */
  readonly judge: (tree: string, confirm: boolean) => Evaluation;
  readonly tampering?: (iteration: number) => Tampering[];
  readonly outcome?: Trajectory['outcome'];
  readonly delivery?: DeliveryOutcome;
}

export interface ScriptedLoop {
  readonly ports: LoopPorts;
  readonly events: RunEvent[];
  readonly states: LoopState[];
  readonly reflections: Reflection[];
  readonly contexts: AttemptContext[];
  readonly delivered: string[];
  readonly journal: Map<string, unknown>;
  readonly attached: Map<string, string>;
  tree: string;
}

export const LOOP_ID = 'ralph-scripted-20260101-abcdef';

/** Ports whose journal, memory and events the test can look into; `from` takes over an earlier run's state. */
export function scriptedLoop(script: Script, from?: ScriptedLoop): ScriptedLoop {
  const loop = {
    events: [],
    states: [],
    reflections: from?.reflections ?? [],
    contexts: [],
    delivered: [],
    journal: from?.journal ?? new Map<string, unknown>(),
    attached: new Map<string, string>(),
    tree: 'base',
  } as unknown as ScriptedLoop & { ports: LoopPorts };
  const context = { script, loop };
  (loop as { ports: LoopPorts }).ports = {
    actor: scriptedActor(context),
    bench: scriptedBench(context),
    evaluator: scriptedEvaluator(context),
    reflector: {
      reflect: ({ iteration, window }) =>
        Promise.resolve({
          reflection: selfReflection(
            iteration,
            window.map((r) => r.iteration),
          ),
          reflector: { name: 'scripted', fallback: false },
        }),
    },
    memory: scriptedMemory(loop),
    workspace: scriptedWorkspace(loop),
    guard: { restoreProtected: () => Promise.resolve(script.tampering?.(loop.contexts.length) ?? []) },
    delivery: {
      deliver: (tree) => {
        loop.delivered.push(tree);
        return Promise.resolve(script.delivery ?? { applied: 'tree', conflict: false, message: 'applied' });
      },
    },
    store: scriptedStore(loop),
    emit: (event) => void loop.events.push(event),
  };
  return loop;
}

interface Scripted {
  readonly script: Script;
  readonly loop: ScriptedLoop;
}

function scriptedActor({ script, loop }: Scripted): Actor {
  return {
    name: 'scripted',
    async attempt(context) {
      loop.contexts.push(context);
      const edit = script.edits[context.iteration - 1] ?? loop.tree;
      loop.tree = typeof edit === 'string' ? edit : await edit(context);
      return trajectory(script.outcome ?? 'edited');
    },
  };
}

/** Runs a check on the tree that the workspace holds. */
function scriptedBench({ script, loop }: Scripted): Bench {
  return {
    run(name) {
      const { checks, diagnostics, tests } = script.judge(loop.tree, false);
      const check = checks.find((one) => one.name === name)!;
      return Promise.resolve({ ...check, diagnostics: [...diagnostics], tests: [...tests] });
    },
    testsOf: (_, tests) => [...tests],
  };
}

function scriptedEvaluator({ script, loop }: Scripted): Evaluator {
  return { evaluate: ({ confirm }) => Promise.resolve(script.judge(loop.tree, confirm)) };
}

function scriptedMemory(loop: ScriptedLoop): Memory {
  return {
    remember(reflection) {
      loop.reflections.push(reflection);
      const path = `.aiwg/ralph/reflections/${LOOP_ID}/00${reflection.iteration + 1}.json`;
      return Promise.resolve({ path, reflection });
    },
    episodes: () => Promise.resolve(loop.reflections),
  };
}

function scriptedWorkspace(loop: ScriptedLoop): Workspace {
  return {
    root: '/scripted',
    base: 'base',
    checkpoint: () => Promise.resolve(loop.tree),
    checkpointFiles: (tree, files) => Promise.resolve(files.length === 0 ? tree : loop.tree),
    restore(tree) {
      loop.tree = tree;
      return Promise.resolve();
    },
    changes: (from, to) => Promise.resolve(changeSet(from, to)),
    close: () => Promise.resolve(),
  };
}

function scriptedStore(loop: ScriptedLoop): RunStore {
  return {
    loopId: LOOP_ID,
    get finishedSteps() {
      return loop.journal.size;
    },
    has: (name) => loop.journal.has(name),
    async step<T>(name: string, run: () => Promise<T>): Promise<T> {
      if (!loop.journal.has(name)) loop.journal.set(name, await run());
      return loop.journal.get(name) as T;
    },
    attach(path, text) {
      loop.attached.set(path, text);
      return Promise.resolve(path);
    },
    saveState(state) {
      loop.states.push(state);
      return Promise.resolve();
    },
  };
}

function changeSet(from: string, to: string): ChangeSet {
  if (from === to) return { files: [], linesAdded: 0, linesDeleted: 0, patch: '' };
  const file = { path: 'src/file.ts', kind: 'modified', linesAdded: 1, linesDeleted: 1 } as const;
  return { files: [file], linesAdded: 1, linesDeleted: 1, patch: `-${from}\n+${to}\n` };
}

/** Options with the defaults of `ralph run`. */
export function loopOptions(over: Partial<LoopOptions> = {}): LoopOptions {
  return {
    task: 'make it green',
    project: {
      repository: '/scripted',
      packageDir: '.',
      packageManager: { name: 'npm', installCommand: 'npm ci' },
      checks: [],
      notes: [],
    },
    guidance: '',
    maxIterations: 5,
    omega: undefined,
    windowPolicy: 'fifo',
    windowTokens: 4000,
    strategy: 'reflexion',
    retryFrom: 'best',
    proof: {
      hasTask: false,
      isListed: false,
      stated: [],
      acceptTests: [],
      asks: 'model',
      applyUnproven: false,
      keepTests: true,
      timeMs: 0,
      minShare: undefined,
    },
    maxTimeMs: undefined,
    maxCostUsd: undefined,
    maxTokens: undefined,
    delivery: 'tree',
    endOn: 'best',
    resumed: false,
    settings: {},
    startedAt: '2026-01-01T00:00:00.000Z',
    stopRequested: () => false,
    signal: new AbortController().signal,
    ...over,
  };
}

/** An evaluation of `passed` of `total` tests; the failures are named by number. */
export function evaluation(passed: number, total: number, over: Partial<Evaluation> = {}): Evaluation {
  const failed = total - passed;
  return {
    passed: failed === 0,
    reward: passed / total,
    verification_type: 'unit_tests',
    checks: [
      {
        name: 'tests',
        kind: 'tests',
        tool: 'vitest',
        status: failed === 0 ? 'pass' : 'fail',
        passed,
        failed,
        skipped: 0,
        total,
        errors: failed,
        warnings: 0,
        weight: 1,
        score: passed / total,
        duration_ms: 10,
        exit_code: failed === 0 ? 0 : 1,
        detail: `${passed} of ${total} passed`,
        command: 'vitest run',
        output: '',
      },
    ],
    diagnostics: Array.from({ length: failed }, (_, index) => failure(index)),
    delta: { fixed: [], same: [], new: [] },
    metrics: {
      tests_passed: passed,
      tests_failed: failed,
      tests_total: total,
      type_errors: 0,
      lint_errors: 0,
      lint_warnings: 0,
    },
    tests: [],
    missing_tests: [],
    duration_ms: 10,
    ...over,
  };
}

export function failure(index: number): Diagnostic {
  return {
    type: 'test_failure',
    message: `test ${index} failed`,
    severity: 'error',
    check: 'tests',
    fingerprint: index.toString(16).padStart(12, '0'),
    rule: `test ${index}`,
  };
}

export function trajectory(outcome: Trajectory['outcome'] = 'edited'): Trajectory {
  return {
    actor: 'scripted',
    actions: [],
    rationale: 'as scripted',
    strategy: 'script',
    outcome,
    message: '',
    usage: { input_tokens: 10, output_tokens: 1, cached_input_tokens: 5, cost_usd: 0.5 },
    ruled_out: { tried: 0, edits: [] },
    duration_ms: 1,
  };
}

export function selfReflection(
  iteration: number,
  related: readonly number[] = [],
): Reflection['self_reflection'] {
  return {
    reflection_text: `In attempt ${iteration} I changed src/file.ts, and test 0 still fails. `.repeat(3),
    credit_assignment: {
      failing_action_indices: [0],
      root_cause: `cause ${iteration}`,
      failure_category: 'logic_error',
    },
    causal_reasoning: 'The script says so.',
    actionable_insights: [`next after ${iteration}`],
    lessons_learned: [],
    confidence: 0.5,
    related_reflections: [...related],
  };
}
