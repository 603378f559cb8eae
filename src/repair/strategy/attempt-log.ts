import { boundText } from '../../platform/text/bounded-text.ts';
import type { Action, ActorOutcome, RuledOut, Trajectory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { LeftOutIdeas } from './left-out-ideas.ts';
import type { Withheld } from './withheld.ts';
import type { Candidate } from '../syntax/edit.ts';

const MAX_ACTIONS = 2000;
const MAX_DESCRIPTION = 2000;
const MAX_PROSE = 8000;

/** Collects the trajectory of one attempt. */
export class AttemptLog {
  readonly #started = performance.now();
  readonly #actions: Action[] = [];
  readonly #reasons: string[] = [];
  readonly #positions = new Map<Candidate, number>();
  /** Signatures, each with its scope, of edits that this attempt ruled out, in order. */
  readonly ruledOut = new Set<string>();
  /** Edits with the same test results as the accepted one, best first. */
  alternatives: readonly Candidate[] = [];
  /** How sure the last choice was, 0..1; undefined before the first. */
  confidence: number | undefined;
  /** Plausible edits of which none was chosen, by the scope of the failures. */
  readonly withheld = new Map<string, Withheld>();
  /** Edits of a model that could not be tried. */
  readonly leftOut = new LeftOutIdeas();
  /** Number of edits tried, including the accepted one. */
  tried = 0;
  /** The first edit that fixed a test and was still ruled out, with its effect. */
  nearest: string | undefined;

  addAction(action: Action): void {
    if (this.#actions.length >= MAX_ACTIONS) return;
    this.#actions.push({
      ...action,
      description: action.description.slice(0, MAX_DESCRIPTION),
      timestamp: new Date().toISOString(),
    });
  }

  /** Adds one sentence to the rationale. */
  addReason(text: string): void {
    this.#reasons.push(text);
  }

  /** Appends candidates to the order of trials. */
  addToOrder(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) this.#positions.set(candidate, this.#positions.size + 1);
  }

  /** A candidate's position in the order of trials, 1-based; undefined if it was not in it. */
  positionOf(candidate: Candidate): number | undefined {
    return this.#positions.get(candidate);
  }

  /** The trajectory. `message` is one or two sentences about the outcome. */
  end(outcome: ActorOutcome, message: string, ruledOut: RuledOut): Trajectory {
    return {
      actor: 'search',
      actions: this.#actions,
      rationale: boundText(this.#reasons.join('\n'), MAX_PROSE - 100),
      strategy: STRATEGY,
      outcome,
      message: boundText(message, MAX_PROSE - 100),
      usage: NO_USAGE,
      ruled_out: { ...ruledOut, tried: this.tried },
      duration_ms: Math.round(performance.now() - this.#started),
    };
  }
}

const STRATEGY =
  'Offline repair: the fixers of the linter and the type checker, then a search over small edits in the code that ' +
  'failing tests run. Each edit is tried on the failing tests; the best is confirmed in processes of its own.';
