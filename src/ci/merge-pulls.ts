import type { PullFacts } from './github/event.ts';

/** The requested pull request and the open ones of its branch, each once, the requested one first. */
export function mergePulls(
  requested: PullFacts | undefined,
  open: readonly PullFacts[] | undefined = [],
): PullFacts[] {
  return requested === undefined
    ? [...open]
    : [requested, ...open.filter(({ number }) => number !== requested.number)];
}
