import type { RunEvent } from '../events.ts';
import type {
  AcceptanceTests,
  Actor,
  Bench,
  ChangeRules,
  Delivery,
  Evaluator,
  Experience,
  Guard,
  Judge,
  Memory,
  Reflector,
  RunStore,
  StrengthMeter,
  Tracer,
  Workspace,
} from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import type { ProjectPlan } from '../ports/plan.ts';
import type { DeliveryMode } from '../ports/tree.ts';
import type { AcceptTests } from './proof/criteria.ts';
import type { EarlierReflection } from '../ports/reflection.ts';
import type { Omega, RetryFrom, Strategy, WindowPolicy } from '../schema/generated.ts';

/** The adapters of one loop. */
export interface LoopPorts {
  readonly actor: Actor;
  readonly bench: Bench;
  /** Confines the actor's commands; without it they run with ralph's own rights. */
  readonly sandbox?: AttemptContext['sandbox'];
  readonly evaluator: Evaluator;
  readonly reflector: Reflector;
  readonly memory: Memory;
  /** Long-term memory; absent if the settings turn it off. */
  readonly experience?: Experience | undefined;
  readonly workspace: Workspace;
  readonly guard: Guard;
  readonly delivery: Delivery;
  readonly store: RunStore;
  /** Writes tests for a task; absent if nobody can, or the settings turn it off. */
  readonly acceptance?: AcceptanceTests | undefined;
  /** Reads a proven change; absent without --judge. */
  readonly judge?: Judge | undefined;
  /** Absent if failing tests are not traced. */
  readonly tracer?: Tracer | undefined;
  /** Absent if the strength of a proof is not measured. */
  readonly strength?: StrengthMeter | undefined;
  /** Absent if nobody but the checks decides. */
  readonly rules?: ChangeRules | undefined;
  /** Never throws. */
  readonly emit: (event: RunEvent) => void;
}

/** What proves that the task is done, and what is done with a result that nothing proves. */
export interface ProofOptions {
  /** False for a run without a task text, whose task is to make the failing checks pass. */
  readonly hasTask: boolean;
  /** The task is one of a list: only red checks that are about it show that it is done. */
  readonly isListed: boolean;
  /** Criteria that the source of the task states without a command or test, each as one sentence. */
  readonly stated: readonly string[];
  readonly acceptTests: readonly AcceptTests[];
  /** Who makes the attempts. */
  readonly asks: 'model' | 'agent' | 'command' | 'nobody';
  readonly applyUnproven: boolean;
  /** Whether tests that were written for the task are delivered with the change. */
  readonly keepTests: boolean;
  /** Longest measurement of a proof's strength; 0 measures nothing. */
  readonly timeMs: number;
  /** Share of the mutants that tests must catch, 0..1; undefined for no condition. */
  readonly minShare: number | undefined;
  /** Tells whether the user allows a file to be changed as the actor likes; absent: none is. */
  readonly isAllowed?: ((path: string) => boolean) | undefined;
}

/** The task and settings of one loop, with all defaults filled in. */
export interface LoopOptions {
  readonly task: string;
  readonly project: ProjectPlan;
  /** The repository's own AGENTS.md or CLAUDE.md, bounded. */
  readonly guidance: string;
  /** Output of elsewhere about the failure, such as the log of a CI job; untrusted. */
  readonly background?: string | undefined;
  readonly maxIterations: number;
  /** False: attempts that change nothing or repeat an earlier one do not end the loop. Default true. */
  readonly stopOnStall?: boolean | undefined;
  /** Capacity of the Ω window; undefined to derive it from the verification type. */
  readonly omega: Omega | undefined;
  readonly windowPolicy: WindowPolicy;
  readonly windowTokens: number;
  readonly strategy: Strategy;
  readonly retryFrom: RetryFrom;
  readonly proof: ProofOptions;
  readonly maxTimeMs: number | undefined;
  /** US dollars for attempts, reflections and long-term memory together. */
  readonly maxCostUsd: number | undefined;
  /** Input and output tokens of the same. */
  readonly maxTokens: number | undefined;
  readonly delivery: DeliveryMode;
  /** The tree that the workspace holds after an unverified loop: `base` if the workspace is the user's own tree. */
  readonly endOn: 'best' | 'base';
  readonly resumed: boolean;
  /**
   * Reflections of earlier loops, oldest first; those with the same task or one of the present failures fill places of
   * the window that this loop's own leave empty.
   */
  readonly earlier?: readonly EarlierReflection[] | undefined;
  /** The resolved configuration, stored in the loop's state for `ralph resume`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** First start of this loop, ISO 8601. */
  readonly startedAt: string;
  /** Called between steps; true if the loop should end now. */
  readonly stopRequested: () => boolean;
  /**
   * On abort a running step that can be repeated is cut off and not recorded, and the loop ends with what it has. Absent if
   * such steps are finished first.
   */
  readonly stop?: AbortSignal | undefined;
  /** On abort the running step is killed and not recorded. */
  readonly signal: AbortSignal;
}
