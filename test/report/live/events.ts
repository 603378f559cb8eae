/** Events of one run, as a live view is told of them. */
import type { RunEvent } from '../../../src/events.ts';
import type { Reflection, Usage } from '../../../src/schema/generated.ts';
import { evaluation, selfReflection, trajectory } from '../../support/scripted.ts';

type Event<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

const WEIGHTS = { tests: 0.5, types: 0.3, lint: 0.2 } as const;

function check(name: keyof typeof WEIGHTS): Event<'loop_started'>['project']['checks'][number] {
  const kind = name;
  return { name, kind, tool: 'command', cwd: '.', args: [], setup: [], weight: WEIGHTS[name], source: '' };
}

export const STARTED: Event<'loop_started'> = {
  ...{ type: 'loop_started', loopId: 'ralph-x', task: 'make it green', actor: 'react', model: 'a/b' },
  ...{ maxIterations: 5, workspace: '/work', resumed: false },
  limits: { maxTimeMs: 60_000, maxCostUsd: 2, maxTokens: 50_000 },
  project: {
    ...{ repository: '/repository', packageDir: '.', notes: [] },
    packageManager: { name: 'npm', installCommand: 'npm ci' },
    checks: [check('tests'), check('types'), check('lint')],
  },
};

const USAGE: Usage = { input_tokens: 1400, output_tokens: 100, cached_input_tokens: 0, cost_usd: 0.01 };

/** Four tests, some of which pass; two type errors and one of lint, fewer the more do. */
function judged(passed: number): ReturnType<typeof evaluation> {
  const [tests] = evaluation(passed, 4).checks;
  const errors = { types: passed > 2 ? 1 : 2, lint: passed > 2 ? 0 : 1 };
  const plain = (name: 'types' | 'lint') => ({
    ...{ ...tests!, name, kind: name, total: 0, passed: 0, failed: 0, errors: errors[name] },
    ...{ status: errors[name] === 0 ? ('pass' as const) : ('fail' as const), weight: WEIGHTS[name] },
  });
  return evaluation(passed, 4, {
    reward: passed / 4 + 0.125,
    checks: [{ ...tests!, weight: 0.5 }, plain('types'), plain('lint')],
  });
}

export function baseline(passed: number): RunEvent[] {
  const [tests] = judged(passed).checks;
  return [
    { type: 'baseline_started' },
    { type: 'check_finished', check: tests! },
    { type: 'baseline_evaluated', evaluation: judged(1) },
  ];
}

export function evaluated(passed: number): Event<'attempt_evaluated'> {
  const evaluation = judged(passed);
  const changes = { filesChanged: 1, linesAdded: 1, linesDeleted: 1, changed: [] };
  return { type: 'attempt_evaluated', iteration: 1, evaluation, best: true, ...changes };
}

export const FIRST_ATTEMPT: readonly RunEvent[] = [
  { type: 'attempt_started', iteration: 1, window: [] },
  { type: 'actor_finished', iteration: 1, trajectory: { ...trajectory(), usage: USAGE } },
  evaluated(3),
];

const REFLECTION = {
  iteration: 0,
  reflector: { name: 'rules', fallback: false },
  self_reflection: {
    ...selfReflection(1),
    actionable_insights: ['Look at rounding in src/cart.ts before anything else.'],
  },
} as Reflection;

export const REFLECTED: RunEvent = {
  type: 'reflection_written',
  iteration: 1,
  path: '1',
  reflection: REFLECTION,
};

export const SECOND_ATTEMPT: readonly RunEvent[] = [
  { type: 'attempt_started', iteration: 2, window: [1] },
  { type: 'memory_recalled', iteration: 2, lessons: [], insights: 1, playbook: false },
  { type: 'model_called', model: 'a/b', usage: USAGE, durationMs: 100 },
  {
    type: 'action',
    action: {
      type: 'file_read' as 'other',
      description: 'Read lines 1 to 40 of 200.',
      file_path: 'src/cart.ts',
    },
  },
];

export const ENDED: RunEvent = { type: 'loop_failed', status: 'error', message: 'no' };
