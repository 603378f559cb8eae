import { join } from 'node:path';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { AgentConfinement, Price, Trajectory } from '../../schema/generated.ts';
import { agentEnvironment } from '../../platform/processes/environment.ts';
import type { Outcome } from './outcome.ts';
import { createUsageMeter, type UsageMeter } from './usage-meter.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';
import { confineAgent, type ConfinedAgent } from './confine.ts';
import { ActionLog } from './action-log.ts';
import { createScope, type WorkspaceScope } from './workspace-scope.ts';

export interface AgentLimits {
  /** The time limit of one attempt. */
  readonly timeoutMs: number;
  /** The longest time without output. */
  readonly silenceMs: number;
  /** The longest time until the first output, which a slow machine needs to start the agent. Default: `silenceMs`. */
  readonly startMs?: number | undefined;
  /** The option that sets `timeoutMs`, for messages; absent if the user cannot set it. */
  readonly timeoutOption?: string | undefined;
}

/** What an agent is asked, and where. */
export interface AgentRequest extends Pick<
  AttemptContext,
  'loopId' | 'iteration' | 'root' | 'project' | 'sandbox' | 'signal' | 'onProgress' | 'onWork'
> {
  /** Text of the first and only turn. */
  readonly prompt: string;
}

/** The state of one attempt of an agent. */
export interface Attempt {
  readonly agent: string;
  readonly context: AgentRequest;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scope: WorkspaceScope;
  readonly log: ActionLog;
  readonly meter: UsageMeter;
  readonly watchdog: Watchdog;
  readonly limits: AgentLimits;
  readonly prices: Readonly<Record<string, Price>>;
  /** Undefined: the agent has ralph's own rights. */
  readonly confined: ConfinedAgent | undefined;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
}

export interface AttemptOptions extends AgentLimits {
  readonly prices?: Readonly<Record<string, Price>>;
  readonly confinement: AgentConfinement;
}

/** Creates the state of an attempt and starts its watchdog, which the caller stops. Throws as `confineAgent` does. */
export function createAttempt(agent: string, context: AgentRequest, options: AttemptOptions): Attempt {
  const { root, project, loopId, iteration, prompt, signal, sandbox } = context;
  const cwd = join(root, project.packageDir);
  const scope = createScope({ root, cwd, repository: project.repository });
  const { timeoutMs, silenceMs, startMs = silenceMs, timeoutOption, prices = {}, confinement } = options;
  const confined = confineAgent(agent, confinement, sandbox);
  return {
    agent,
    context,
    prompt,
    env: agentEnvironment({ RALPH_LOOP_ID: loopId, RALPH_ITERATION: String(iteration) }),
    scope,
    log: new ActionLog(agent, scope, context),
    meter: createUsageMeter(),
    watchdog: createWatchdog({ timeoutMs, silenceMs, startMs, signal }),
    limits: { timeoutMs, silenceMs, startMs, timeoutOption },
    prices,
    confined,
    startedAt: performance.now(),
  };
}

/** Creates the attempt's trajectory. `model`: the model reported by the agent, a key of the prices. */
export function toTrajectory(attempt: Attempt, outcome: Outcome, model?: string): Trajectory {
  const { log, meter, prices } = attempt;
  log.close();
  const hasWorked = outcome.fatal === undefined && (log.actions.length > 0 || log.text !== '');
  return {
    actor: 'acp',
    actions: [...log.actions],
    rationale: log.text,
    strategy: `agent ${attempt.agent}${model === undefined ? '' : ` with ${model.slice(0, 200)}`}`,
    ...outcome,
    usage: meter.usage(model === undefined ? undefined : prices[model], hasWorked),
    ruled_out: { tried: 0, edits: [] },
    duration_ms: Math.round(performance.now() - attempt.startedAt),
  };
}
