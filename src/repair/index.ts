import type { Actor } from '../ports.ts';
import type { AttemptBounds } from './strategy/attempt.ts';

/** Bounds of one attempt; what is absent is 10,000 edits and 60 seconds. */
export type SearchActorOptions = Partial<AttemptBounds>;

const MAX_CANDIDATES = 10_000;
const MAX_TIME_MS = 60_000;

/**
 * The offline actor: repairs small bugs without a model. One attempt is one bounded search, whose best edit is
 * left in the tree; without one the tree stays as it was. The parser loads with the first attempt.
 */
export function createSearchActor(options: SearchActorOptions = {}): Actor {
  const bounds = { maxCandidates: MAX_CANDIDATES, maxTimeMs: MAX_TIME_MS, ...options };
  return {
    name: 'search',
    async attempt(context) {
      const { attemptSearch } = await import('./strategy/attempt.ts');
      return await attemptSearch(context, bounds);
    },
  };
}

/** The linter's and the type checker's own fixes alone: the mechanical part of the offline actor. */
export function createFixersActor(): Actor {
  return {
    name: 'fixers',
    async attempt(context) {
      const { attemptFixers } = await import('./fixers/attempt-fixers.ts');
      return await attemptFixers(context, MAX_TIME_MS);
    },
  };
}
