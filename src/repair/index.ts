import type { Actor } from '../ports.ts';
import { MIN_CONFIDENCE } from './choose/confidence.ts';
import type { AttemptBounds } from './strategy/attempt.ts';

/** Limits of one attempt; 10,000 edits and 60 seconds if absent. */
export type SearchActorOptions = Partial<AttemptBounds>;

const MAX_CANDIDATES = 10_000;
const MAX_TIME_MS = 60_000;

/**
 * The offline actor: repairs small bugs by program search, without a model. One attempt (`strategy/attempt.ts`) runs the
 * fixers and one bounded search; the best edit is left in the tree. Without one only the fixers' changes remain. The
 * parser is loaded by the first attempt.
 */
export function createSearchActor(options: SearchActorOptions = {}): Actor {
  const defaults = { maxCandidates: MAX_CANDIDATES, maxTimeMs: MAX_TIME_MS, minConfidence: MIN_CONFIDENCE };
  const bounds = { ...defaults, ...options };
  return {
    name: 'search',
    async attempt(context) {
      const { attemptSearch } = await import('./strategy/attempt.ts');
      return await attemptSearch(context, bounds);
    },
  };
}

/** The fixers alone: applies the linter's and the type checker's own fixes, without a search. */
export function createFixersActor(): Actor {
  return {
    name: 'fixers',
    async attempt(context) {
      const { attemptFixers } = await import('./strategy/attempt-fixers.ts');
      return await attemptFixers(context, MAX_TIME_MS);
    },
  };
}
