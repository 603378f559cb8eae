import type { RunEvent } from '../../events.ts';
import { blankVerdict } from '../../loop/verdict.ts';
import type { FileChange } from '../../ports/tree.ts';
import type { Reflection, Verdict } from '../../schema/generated.ts';
import type { EndedRun } from './end-screen.ts';

/** Collects the data of the summary from the events of a run. */
export class EndedState {
  readonly #rewards: number[] = [];
  #start: Extract<RunEvent, { type: 'loop_started' }> | undefined;
  #changed: readonly FileChange[] = [];
  #reflection: Reflection | undefined;
  #hasAttempt = false;

  /** Returns the run at its last event; undefined before. */
  on(event: RunEvent): EndedRun | undefined {
    switch (event.type) {
      case 'loop_started':
        this.#start = event;
        return undefined;
      case 'baseline_evaluated':
        this.#rewards.push(event.evaluation.reward);
        return undefined;
      case 'acceptance_prepared':
        this.#rewards.splice(0, 1, event.evaluation.reward);
        return undefined;
      case 'attempt_started':
        this.#hasAttempt = true;
        return undefined;
      case 'attempt_evaluated':
        this.#rewards.push(event.evaluation.reward);
        if (event.best) this.#changed = event.changed;
        return undefined;
      case 'reflection_written':
        this.#reflection = event.reflection;
        return undefined;
      case 'loop_finished':
        return this.#with(event.verdict);
      case 'loop_failed':
        return this.#with(this.#failed(event));
      default:
        return undefined;
    }
  }

  #with(verdict: Verdict): EndedRun {
    const { actor = '', limits = {}, maxIterations = 0 } = this.#start ?? {};
    const [rewards, changed, reflection] = [this.#rewards, this.#changed, this.#reflection];
    const hasResult = changed.length > 0;
    return { verdict, actor, limits, maxIterations, rewards, changed, reflection, hasResult };
  }

  #whyFailed(status: 'aborted' | 'error'): string {
    if (status === 'aborted') return 'Stopped immediately; every finished step is saved.';
    return this.#hasAttempt
      ? 'The loop could not continue; every finished step is saved.'
      : 'The loop could not start.';
  }

  /** The verdict of a failed loop; the error itself is printed by the command line. */
  #failed({ status }: Extract<RunEvent, { type: 'loop_failed' }>): Verdict {
    const [first = 0] = this.#rewards;
    return {
      ...blankVerdict(status, this.#whyFailed(status)),
      loop_id: this.#rewards.length === 0 ? null : (this.#start?.loopId ?? null),
      baseline_reward: first,
      reward: Math.max(0, ...this.#rewards),
      iterations: Math.max(0, this.#rewards.length - 1),
    };
  }
}
