import type { DeliveryOutcome, FileChange, ProjectPlan, ToldLesson } from './ports.ts';
import type {
  Action,
  CheckSummary,
  Diagnostic,
  Evaluation,
  Reflection,
  Tampering,
  Trajectory,
  Usage,
  Verdict,
} from './schema/generated.ts';

/** What an actor or a reflector tells while it works. `model` is `provider/model`. */
export type WorkEvent =
  /** A piece of what the model says, as it streams. */
  | { readonly type: 'model_text'; readonly model: string; readonly text: string }
  /** One call was answered. `usage` is that call's own. */
  | {
      readonly type: 'model_called';
      readonly model: string;
      readonly usage: Usage;
      readonly durationMs: number;
    }
  /** A call failed in a way that may pass; it is made again after `delayMs`. `attempt` is the 1-based try that failed. */
  | {
      readonly type: 'model_retry';
      readonly model: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
      readonly statusCode?: number;
    }
  /** A model could not answer; the next of the list is asked from here on. */
  | { readonly type: 'model_fallback'; readonly from: string; readonly to: string; readonly reason: string }
  /** Something was done: a file read or edited, a command run. */
  | { readonly type: 'action'; readonly action: Action }
  | { readonly type: 'warning'; readonly text: string };

/** What a loop may take; what is absent has no limit. */
export interface LoopLimits {
  /** Wall time since the loop was started or resumed. */
  readonly maxTimeMs?: number;
  /** USD of all attempts and reflections together. */
  readonly maxCostUsd?: number;
  /** In and out together. */
  readonly maxTokens?: number;
}

/** A check's own result, before it is weighed and scored. */
export type FinishedCheck = Omit<CheckSummary, 'weight' | 'score'>;

/** Everything that happens in a loop, in order; `--format jsonl` prints one of these a line. */
export type RunEvent =
  | {
      readonly type: 'loop_started';
      readonly loopId: string;
      readonly task: string;
      readonly actor: string;
      /** `provider/model`, or the agent, that the actor asks. */
      readonly model?: string;
      readonly maxIterations: number;
      readonly limits: LoopLimits;
      readonly workspace: string;
      readonly project: ProjectPlan;
      readonly resumed: boolean;
    }
  /** `checks` where no loop was announced: `ralph evaluate`. */
  | { readonly type: 'baseline_started'; readonly checks?: ProjectPlan['checks'] }
  /** One check of the running evaluation ended; what it counts for is known once all have. */
  | { readonly type: 'check_finished'; readonly check: FinishedCheck }
  | { readonly type: 'baseline_evaluated'; readonly evaluation: Evaluation }
  | { readonly type: 'attempt_started'; readonly iteration: number; readonly window: readonly number[] }
  /** What long-term memory told the attempt that begins; absent where it told nothing. */
  | {
      readonly type: 'memory_recalled';
      readonly iteration: number;
      readonly lessons: readonly ToldLesson[];
      /** How many. */
      readonly insights: number;
      readonly playbook: boolean;
    }
  /** What a pass of long-term memory came to: its counts, or why it did nothing. It comes before `loop_finished`, and behind `loop_failed`. */
  | {
      readonly type: 'memory_pass';
      readonly pass: 'validation' | 'insights' | 'playbook' | 'micro_reflection' | 'digest';
      readonly status: 'ok' | 'noop' | 'skipped' | 'fallback' | 'rejected';
      /** A sentence, or the name of a known reason such as `disabled`. */
      readonly reason: string;
      /** Such as `modified`, `removed`, `missedAdded` of a validation; a pass has its own. */
      readonly stats: object;
    }
  | { readonly type: 'progress'; readonly text: string }
  | Exclude<WorkEvent, { readonly type: 'warning' }>
  | { readonly type: 'actor_finished'; readonly iteration: number; readonly trajectory: Trajectory }
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
      /** What differs from the loop's base after it, and not only from what it started from. */
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
  /** The user asked to stop: the loop ends once the running step is saved. */
  | { readonly type: 'stop_requested' }
  | { readonly type: 'loop_finished'; readonly verdict: Verdict }
  /** The loop could not go on, and has no verdict; what was finished is saved. */
  | { readonly type: 'loop_failed'; readonly status: 'aborted' | 'error'; readonly message: string };

/** Events at which a step ended, as a type test for reporters and tests. */
export type RunEventType = RunEvent['type'];
