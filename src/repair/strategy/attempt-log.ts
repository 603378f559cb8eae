import type { Action, ActorOutcome, RuledOut, Trajectory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import type { Candidate } from '../syntax/edit.ts';
import { boundText } from '../../platform/text/bounded-text.ts';

const MAX_ACTIONS = 2000;
const MAX_DESCRIPTION = 2000;
const MAX_PROSE = 8000;
const MAX_NEAREST = 1000;

/** What one attempt did, gathered as it goes. */
export class AttemptLog {
  readonly #started = performance.now();
  readonly #actions: Action[] = [];
  readonly #reasons: string[] = [];
  readonly #places = new Map<Candidate, number>();
  /** Signatures of edits that were tried and did not help, in the order of trial. */
  readonly refuted = new Set<string>();
  /** Edits that would have done as well as the accepted one, as far as the tests tell; best first. */
  readonly alternatives: Candidate[] = [];
  /** Edits tried, the one that was accepted included. */
  tried = 0;
  nearest: string | undefined;

  act(action: Action): void {
    if (this.#actions.length >= MAX_ACTIONS) return;
    this.#actions.push({
      ...action,
      description: action.description.slice(0, MAX_DESCRIPTION),
      timestamp: new Date().toISOString(),
    });
  }

  /** One sentence of the rationale. */
  reason(text: string): void {
    this.#reasons.push(text);
  }

  /** Edits whose turn it is, in their order. */
  lineUp(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) this.#places.set(candidate, this.#places.size + 1);
  }

  /** Where an edit stood in the order of trials, 1-based; undefined for one that was not in it. */
  placeOf(candidate: Candidate): number | undefined {
    return this.#places.get(candidate);
  }

  elapsedMs(): number {
    return performance.now() - this.#started;
  }

  end(outcome: ActorOutcome, message: string, ruledOut: RuledOut): Trajectory {
    return {
      actor: 'search',
      actions: this.#actions,
      rationale: boundText(this.#reasons.join('\n'), MAX_PROSE - 100),
      strategy: STRATEGY,
      outcome,
      message: boundText(message, MAX_PROSE - 100),
      usage: NO_USAGE,
      ruled_out: {
        ...ruledOut,
        tried: this.tried,
        ...(this.nearest === undefined ? {} : { nearest: this.nearest.slice(0, MAX_NEAREST) }),
      },
      duration_ms: Math.round(this.elapsedMs()),
    };
  }
}

const STRATEGY =
  'Offline repair: fixers of the linter and the type checker, then a search over small edits where failing tests run, ' +
  'each tried on the failing tests and the best confirmed in processes of its own.';
