import type { RunEvent } from '../events.ts';
import type {
  Actor,
  AttemptContext,
  Bench,
  Delivery,
  DeliveryMode,
  Evaluator,
  Experience,
  Guard,
  Memory,
  ProjectPlan,
  Reflector,
  RunStore,
  Workspace,
} from '../ports.ts';
import type { Omega, Reflection, RetryFrom, Strategy, WindowPolicy } from '../schema/generated.ts';

/** Everything the loop talks to. */
export interface LoopPorts {
  readonly actor: Actor;
  readonly bench: Bench;
  /** What the actor's commands are confined to. */
  readonly sandbox?: AttemptContext['sandbox'];
  readonly evaluator: Evaluator;
  readonly reflector: Reflector;
  readonly memory: Memory;
  /** Absent: the loop has no memory but its own. */
  readonly experience?: Experience | undefined;
  readonly workspace: Workspace;
  readonly guard: Guard;
  readonly delivery: Delivery;
  readonly store: RunStore;
  /** Never throws. */
  readonly emit: (event: RunEvent) => void;
}

/** What the loop is to do, resolved: no defaults are left to fill in. */
export interface LoopOptions {
  readonly task: string;
  readonly project: ProjectPlan;
  /** The repository's own AGENTS.md or CLAUDE.md, bounded. */
  readonly guidance: string;
  readonly maxIterations: number;
  /** Undefined: by verification type. */
  readonly omega: Omega | undefined;
  readonly windowPolicy: WindowPolicy;
  readonly windowTokens: number;
  readonly strategy: Strategy;
  readonly retryFrom: RetryFrom;
  readonly requireChange: boolean;
  readonly maxTimeMs: number | undefined;
  /** USD and tokens that all attempts and reflections together may take. */
  readonly maxCostUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly delivery: DeliveryMode;
  /** What the workspace holds when an unverified loop ends: `base` where the workspace is the user's own tree. */
  readonly endOn: 'best' | 'base';
  readonly resumed: boolean;
  /** Reflections of earlier loops at the same task, oldest first: they fill what this loop's own leave of the window. */
  readonly earlier?: readonly Reflection[] | undefined;
  /** The resolved configuration, kept in the loop's state for `ralph resume`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** ISO 8601; the first start of this loop. */
  readonly startedAt: string;
  /** Asked between steps: the loop is to end once the running step is saved. */
  readonly stopRequested: () => boolean;
  /** Aborted: whatever runs is killed, and the running step is not recorded. */
  readonly signal: AbortSignal;
}
