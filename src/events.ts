import type { DeliveryOutcome, ProjectPlan } from './ports.ts';
import type {
  Diagnostic,
  Evaluation,
  Reflection,
  Tampering,
  Trajectory,
  Verdict,
} from './schema/generated.ts';

/** Everything that happens in a loop, in order; `--format jsonl` prints one of these a line. */
export type RunEvent =
  | {
      readonly type: 'loop_started';
      readonly loopId: string;
      readonly task: string;
      readonly actor: string;
      readonly maxIterations: number;
      readonly workspace: string;
      readonly project: ProjectPlan;
      readonly resumed: boolean;
    }
  | { readonly type: 'baseline_started' }
  | { readonly type: 'baseline_evaluated'; readonly evaluation: Evaluation }
  | { readonly type: 'attempt_started'; readonly iteration: number; readonly window: readonly number[] }
  | { readonly type: 'progress'; readonly text: string }
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
