/** Longest time for one answer: connecting, headers and body. */
const ANSWER_MS = 20_000;
/** Longest body. Lists and logs are far shorter; a longer answer is not GitHub's. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** GitHub keeps the logs of jobs on another host, and redirects to it. */
const STORED_ELSEWHERE = /\/actions\/jobs\/\d+\/logs$/;
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
    if (limitMs === 0) throw notAgain('the time for this step is over');
    const limit = AbortSignal.timeout(Math.ceil(limitMs));
    const signal = init?.signal ? AbortSignal.any([limit, init.signal]) : limit;
    try {
      const answer = await follow(new Request(input, { ...init, signal, redirect: 'manual' }));
      const body = NO_BODY.has(answer.status) ? null : await bytesOf(answer);
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

/** An error that octokit does not answer by sending the request again. */
function notAgain(message: string): DOMException {
  return new DOMException(message, 'AbortError');
}

/** The answer behind redirects within one host, with the same method. What another host answers is not GitHub's word. */
async function follow(request: Request, count = 0): Promise<Response> {
  const answer = await fetch(request.clone());
  const location = answer.headers.get('location');
  if (!REDIRECTS.has(answer.status) || location === null) return answer;
  const [from, to] = [new URL(request.url), new URL(location, request.url)];
  if (count === MAX_REDIRECTS) throw notAgain(`it redirects more than ${MAX_REDIRECTS} times`);
  if (to.origin === from.origin) return follow(new Request(to, request), count + 1);
  if (request.method !== 'GET' || !STORED_ELSEWHERE.test(from.pathname))
    throw notAgain(`it redirects to ${to.origin}`);
  return fetch(to, { signal: request.signal });
}

async function bytesOf(answer: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > ANSWER_BYTES) throw notAgain(`the answer is longer than ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
