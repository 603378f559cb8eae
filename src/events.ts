import type { ShownLesson } from './ports/memory.ts';
import type { ProjectPlan } from './ports/plan.ts';
import type { DeliveryOutcome, FileChange } from './ports/tree.ts';
import type {
  Action,
  CheckSummary,
  Criterion,
  Diagnostic,
  Evaluation,
  ProofStrength,
  Reflection,
  Tampering,
  Trajectory,
  Usage,
  Verdict,
} from './schema/generated.ts';

/** An event of an actor or a reflector at work. `model` is `provider/model`. */
export type WorkEvent =
  /** A piece of the model's answer, as it streams. */
  | { readonly type: 'model_text'; readonly model: string; readonly text: string }
  /** A model call was answered. `usage` covers this call only. */
  | {
      readonly type: 'model_called';
      readonly model: string;
      readonly usage: Usage;
      readonly durationMs: number;
    }
  /** A model call failed with an error that may be temporary; it is repeated after `delayMs`. `attempt` is the 1-based number of the failed try. */
  | {
      readonly type: 'model_retry';
      readonly model: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
      readonly statusCode?: number;
    }
  /** A model could not answer; from now on the next model of the list is asked. */
  | { readonly type: 'model_fallback'; readonly from: string; readonly to: string; readonly reason: string }
  /** The actor read or edited a file, or ran a command. */
  | { readonly type: 'action'; readonly action: Action }
  | { readonly type: 'warning'; readonly text: string };

/** Limits of a loop; an absent one is unlimited. */
export interface LoopLimits {
  /** Wall time since the loop was last started or resumed. */
  readonly maxTimeMs?: number;
  /** US dollars for all attempts, reflections and long-term memory together. */
  readonly maxCostUsd?: number;
  /** Input and output tokens together. */
  readonly maxTokens?: number;
}

/** Result of one check, before it has a weight and a score. */
export type FinishedCheck = Omit<CheckSummary, 'weight' | 'score'>;

/** Everything that happens in a loop, in order. `--format jsonl` prints one event per line. */
export type RunEvent =
  | {
      readonly type: 'loop_started';
      readonly loopId: string;
      readonly task: string;
      readonly actor: string;
      /** `provider/model`, or the name of the agent, that the actor uses. */
      readonly model?: string;
      readonly maxIterations: number;
      readonly limits: LoopLimits;
      readonly workspace: string;
      readonly project: ProjectPlan;
      readonly resumed: boolean;
    }
  /** The checks begin to run on the untouched tree. `checks` is only present for `ralph evaluate`, which has no loop. */
  | { readonly type: 'baseline_started'; readonly checks?: ProjectPlan['checks'] }
  /** A test failed while its check runs; emitted for at most the first five of a check. Information only: the test may pass when it runs again, and only the result at the end counts. */
  | {
      readonly type: 'test_failed';
      /** Name of the check. */
      readonly check: string;
      readonly test: string;
      readonly file?: string;
      /** The compared values, or the first line of the error. */
      readonly message: string;
    }
  /** One check of the running evaluation ended. Its weight and score are known when all checks have ended. */
  | { readonly type: 'check_finished'; readonly check: FinishedCheck }
  | { readonly type: 'baseline_evaluated'; readonly evaluation: Evaluation }
  /** Tests were written for the task. `evaluation` is that of the tree with these tests, which attempts start from. */
  | {
      readonly type: 'acceptance_prepared';
      readonly criteria: readonly Criterion[];
      /** Paths of the test files. */
      readonly files: readonly string[];
      readonly uncovered: readonly string[];
      readonly rejected: readonly string[];
      readonly evaluation: Evaluation;
    }
  | { readonly type: 'attempt_started'; readonly iteration: number; readonly window: readonly number[] }
  /** Long-term memory that the next attempt is shown. Not emitted if there is none. */
  | {
      readonly type: 'memory_recalled';
      readonly iteration: number;
      readonly lessons: readonly ShownLesson[];
      /** Number of insights. */
      readonly insights: number;
      readonly playbook: boolean;
    }
  /** Memory that the experiment withholds from the loop; `lesson` is the id of a single one. Not emitted if it withholds none. */
  | {
      readonly type: 'memory_withheld';
      readonly iteration: number;
      readonly all: boolean;
      readonly lesson?: string | undefined;
    }
  /** Result of one maintenance pass over long-term memory. Emitted before `loop_finished`, or after `loop_failed`. */
  | {
      readonly type: 'memory_pass';
      readonly pass: 'validation' | 'insights' | 'playbook' | 'micro_reflection' | 'digest';
      readonly status: 'ok' | 'noop' | 'skipped' | 'fallback' | 'rejected';
      /** A sentence, or a known reason such as `disabled`. */
      readonly reason: string;
      /** Counts that depend on the pass, such as `modified`, `removed` and `missedAdded` for a validation. */
      readonly stats: object;
    }
  | { readonly type: 'progress'; readonly text: string }
  | Exclude<WorkEvent, { readonly type: 'warning' }>
  | { readonly type: 'actor_finished'; readonly iteration: number; readonly trajectory: Trajectory }
  | { readonly type: 'strength_measured'; readonly iteration: number; readonly strength: ProofStrength }
  | { readonly type: 'tampering_found'; readonly iteration: number; readonly tampering: readonly Tampering[] }
  | { readonly type: 'evaluation_started'; readonly iteration: number; readonly confirm: boolean }
  | {
      readonly type: 'attempt_evaluated';
      readonly iteration: number;
      readonly evaluation: Evaluation;
      readonly best: boolean;
      readonly filesChanged: number;
      readonly linesAdded: number;
      readonly linesDeleted: number;
      /** Files that differ from the loop's base; the counts above are against the tree that the attempt started from. */
      readonly changed: readonly FileChange[];
    }
  | {
      readonly type: 'reflection_written';
      readonly iteration: number;
      readonly path: string;
      readonly reflection: Reflection;
    }
  | { readonly type: 'delivered'; readonly outcome: DeliveryOutcome }
  | { readonly type: 'warning'; readonly text: string; readonly diagnostics?: readonly Diagnostic[] }
  /** The user asked to stop. A running attempt of an agent or a command is finished and saved; any other step is cut off. */
  | { readonly type: 'stop_requested' }
  | { readonly type: 'loop_finished'; readonly verdict: Verdict }
  /** The loop could not continue. Every finished step is saved. `verdict`: what was known; absent before the loop began. */
  | {
      readonly type: 'loop_failed';
      readonly status: 'aborted' | 'error';
      readonly message: string;
      readonly verdict?: Verdict | undefined;
    };

export type RunEventType = RunEvent['type'];
