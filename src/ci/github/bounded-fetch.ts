/** Longest time for one answer: connecting, headers and body. */
const ANSWER_MS = 20_000;
/** Answers that have no body by their status. */
const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** How long requests may take. */
export interface Bounds {
  /** For one request. Default 20 s. */
  readonly answerMs?: number | undefined;
  /** `performance.now()` at which the time for all requests of a step is over. */
  readonly endsAt?: number | undefined;
}

/** Milliseconds that are left for a step. */
export function restOf({ endsAt = Infinity }: Bounds): number {
  return Math.max(0, endsAt - performance.now());
}

/**
 * A `fetch` whose answer is there as a whole, or an error that says how long was waited. A server that accepts a request
 * and never answers would otherwise hold the job until its own limit.
 */
export function boundedFetch(bounds: Bounds): typeof fetch {
  return async (input, init) => {
    const limitMs = Math.min(bounds.answerMs ?? ANSWER_MS, restOf(bounds));
    // By this name octokit does not send it again.
    if (limitMs === 0) throw new DOMException('the time for this step is over', 'AbortError');
    const limit = AbortSignal.timeout(Math.ceil(limitMs));
    const signal = init?.signal ? AbortSignal.any([limit, init.signal]) : limit;
    try {
      const answer = await fetch(input, { ...init, signal });
      const body = NO_BODY.has(answer.status) ? null : await answer.arrayBuffer();
      const { status, statusText, headers, url } = answer;
      return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', {
        value: url,
      });
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new Error(`no answer within ${Math.ceil(limitMs / 1000)} s`, { cause: error });
    }
  };
}
