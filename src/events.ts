import type { DeliveryOutcome, ProjectPlan } from './ports.ts';
import type {
  Action,
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
      readonly workspace: string;
      readonly project: ProjectPlan;
      readonly resumed: boolean;
    }
  | { readonly type: 'baseline_started' }
  | { readonly type: 'baseline_evaluated'; readonly evaluation: Evaluation }
  | { readonly type: 'attempt_started'; readonly iteration: number; readonly window: readonly number[] }
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
    }
  | {
      readonly type: 'reflection_written';
      readonly iteration: number;
      readonly path: string;
      readonly reflection: Reflection;
    }
  | { readonly type: 'delivered'; readonly outcome: DeliveryOutcome }
  | { readonly type: 'warning'; readonly text: string; readonly diagnostics?: readonly Diagnostic[] }
  | { readonly type: 'loop_finished'; readonly verdict: Verdict };

/** Events at which a step ended, as a type test for reporters and tests. */
export type RunEventType = RunEvent['type'];
