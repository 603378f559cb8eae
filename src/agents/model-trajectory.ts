import type { Reply, ReplyEnding } from './llm/client.ts';
import type { Action, ActorOutcome, Trajectory } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';

const MAX_ACTIONS = 2000;
const MAX_PROSE = 7900;
const MAX_HINT = 1900;
const MAX_STRATEGY = 2000;

export interface ModelAttempt {
  readonly actor: 'react' | 'cot';
  /** `performance.now()` when the attempt began. */
  readonly started: number;
  readonly actions: readonly Action[];
  readonly reply: Reply;
  readonly strategy: string;
  /** What the user is told first; default: how the conversation ended, else what the model said. */
  readonly message?: string;
  /** Default: what the conversation's ending comes to. */
  readonly outcome?: ActorOutcome;
}

/** What a model's attempt came to. Its own end is a hint at most; only an API that is of no use ends the loop. */
export function modelTrajectory(attempt: ModelAttempt): Trajectory {
  const { reply, started } = attempt;
  const fatal = fatalOf(reply);
  return {
    actor: attempt.actor,
    actions: attempt.actions.slice(0, MAX_ACTIONS),
    rationale: boundText(reply.text, MAX_PROSE),
    strategy: attempt.strategy.slice(0, MAX_STRATEGY),
    outcome: attempt.outcome ?? OUTCOME_OF[reply.ending],
    message: boundText((attempt.message ?? reply.detail) || reply.text, MAX_PROSE),
    ...(fatal !== undefined && { fatal }),
    usage: reply.usage,
    ruled_out: { tried: 0, edits: [] },
    duration_ms: Math.round(performance.now() - started),
  };
}

const OUTCOME_OF: Readonly<Record<ReplyEnding, ActorOutcome>> = {
  stopped: 'claimed_done',
  length: 'gave_up',
  refused: 'gave_up',
  steps: 'gave_up',
  confused: 'gave_up',
  budget: 'out_of_budget',
  aborted: 'timed_out',
  failed: 'failed',
};

/** A model that answered nothing at all, or never will, is not asked for another attempt. */
function fatalOf({ ending, failure, steps, detail }: Reply): Trajectory['fatal'] {
  if (ending !== 'failed' || !(failure?.permanent === true || steps === 0)) return undefined;
  const hint = failure?.hint;
  return {
    message: boundText(detail, MAX_PROSE),
    ...(hint !== undefined && { hint: boundText(hint, MAX_HINT) }),
  };
}
