import type { ModelFailureKind, Reply, ReplyEnding } from './llm/client.ts';
import type { Action, ActorOutcome, Trajectory } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';

const MAX_ACTIONS = 2000;
const MAX_TEXT = 7900;
const MAX_HINT = 1900;
const MAX_STRATEGY = 2000;

/** The facts about an attempt by a model. */
export interface ModelAttempt {
  readonly actor: 'react' | 'cot';
  /** `performance.now()` when the attempt began. */
  readonly started: number;
  readonly actions: readonly Action[];
  readonly reply: Reply;
  readonly strategy: string;
  /** The message for the user. Default: the detail of the conversation's ending, else the model's text. */
  readonly message?: string;
  /** Default: the outcome that OUTCOME_OF assigns to the conversation's ending. */
  readonly outcome?: ActorOutcome;
}

/** Creates the trajectory of a model's attempt. `fatal`, which ends the loop, is set only if the API cannot be used. */
export function modelTrajectory(attempt: ModelAttempt): Trajectory {
  const { reply, started } = attempt;
  const fatal = fatalOf(reply);
  return {
    actor: attempt.actor,
    actions: attempt.actions.slice(0, MAX_ACTIONS),
    rationale: boundText(reply.text, MAX_TEXT),
    strategy: attempt.strategy.slice(0, MAX_STRATEGY),
    outcome: attempt.outcome ?? OUTCOME_OF[reply.ending],
    message: boundText((attempt.message ?? reply.detail) || reply.text, MAX_TEXT),
    fatal,
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
  stuck: 'gave_up',
  budget: 'out_of_budget',
  aborted: 'timed_out',
  failed: 'failed',
};

/** Failures of one request: the next attempt sends another one. */
const OF_ONE_REQUEST: ReadonlySet<ModelFailureKind> = new Set(['request']);

/** The error that ends the loop: no model is left, the API answered no call at all, or the model refuses once more. */
function fatalOf({ ending, failure, steps, detail }: Reply): Trajectory['fatal'] {
  if (ending !== 'failed' && ending !== 'refused') return undefined;
  const isLast = failure?.permanent === true || steps === 0;
  if (!isLast && (failure === undefined || OF_ONE_REQUEST.has(failure.kind))) return undefined;
  const hint = failure?.hint;
  return {
    message: boundText(detail, MAX_TEXT),
    hint: hint === undefined ? undefined : boundText(hint, MAX_HINT),
    if_repeated: ending === 'refused' ? true : undefined,
  };
}
