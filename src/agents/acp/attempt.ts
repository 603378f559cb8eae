import { join } from 'node:path';
import type { AttemptContext } from '../../ports.ts';
import { attemptPrompt } from '../../prompts/attempt.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Price, Trajectory } from '../../schema/generated.ts';
import { agentEnvironment } from '../../platform/processes/environment.ts';
import type { Outcome } from './outcome.ts';
import { createUsageMeter, type UsageMeter } from './usage-meter.ts';
import { createWatch, type Watch } from './watch.ts';
import { WorkLog } from './work-log.ts';
import { createScope, type WorkspaceScope } from './workspace-scope.ts';

/** `timeoutMs`: one attempt at most. `silenceMs`: how long the agent may say and do nothing. */
export interface AgentLimits {
  readonly timeoutMs: number;
  readonly silenceMs: number;
}

/** Everything that one attempt of an agent works with. */
export interface Attempt {
  readonly agent: string;
  readonly context: AttemptContext;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scope: WorkspaceScope;
  readonly log: WorkLog;
  readonly meter: UsageMeter;
  readonly watch: Watch;
  readonly limits: AgentLimits;
  readonly prices: Readonly<Record<string, Price>>;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
}

/** Starts the clock. The caller stops `watch`. */
export function createAttempt(
  agent: string,
  context: AttemptContext,
  options: AgentLimits & { readonly prices?: Readonly<Record<string, Price>> },
): Attempt {
  const { root, project, loopId, iteration, signal } = context;
  const cwd = join(root, project.packageDir);
  const scope = createScope({ root, cwd, repository: project.repository });
  const { timeoutMs, silenceMs, prices = {} } = options;
  return {
    agent,
    context,
    prompt: renderPrompt('attempt', attemptPrompt(context), project.repository),
    env: agentEnvironment({ RALPH_LOOP_ID: loopId, RALPH_ITERATION: String(iteration) }),
    scope,
    log: new WorkLog(agent, scope, context),
    meter: createUsageMeter(),
    watch: createWatch({ timeoutMs, silenceMs, signal }),
    limits: { timeoutMs, silenceMs },
    prices,
    startedAt: performance.now(),
  };
}

/** `model` is what the agent says that it uses, the key of its price. */
export function toTrajectory(attempt: Attempt, outcome: Outcome, model?: string): Trajectory {
  const { log, meter, prices } = attempt;
  log.close();
  return {
    actor: 'acp',
    actions: [...log.actions],
    rationale: log.words,
    strategy: `agent ${attempt.agent}${model === undefined ? '' : ` with ${model.slice(0, 200)}`}`,
    ...outcome,
    usage: meter.usage(model === undefined ? undefined : prices[model]),
    ruled_out: { tried: 0, edits: [] },
    duration_ms: Math.round(performance.now() - attempt.startedAt),
  };
}
