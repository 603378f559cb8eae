import type { FramePart } from './frame.ts';

/** One way in which a model's API misbehaves. */
export type WireFault =
  | StatusFault
  /**
   * The connection is reset as soon as it is made. Only an array knows its next reply before there is a request; a
   * function's reply resets when the request's headers are there.
   */
  | { readonly kind: 'refused' }
  /** The request is read, then the connection is reset. */
  | { readonly kind: 'reset-before-headers' }
  /** Headers and the first half, then the connection is reset. */
  | { readonly kind: 'reset-mid-stream' }
  /** All of the reply, `bytes` at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Silence until the client or the server gives up: without any answer, or after its first piece. */
  | { readonly kind: 'stall'; readonly after: 'request' | 'first-chunk' }
  /** The first half, then a polite end. */
  | { readonly kind: 'truncated' }
  /** The provider's own error where the reply should be, in a 200: at once, or in the midst of a stream. */
  | { readonly kind: 'error-event'; readonly at: 'start' | 'middle' }
  /** Every event of a stream twice. */
  | { readonly kind: 'duplicated' }
  /** A stream without some of its events; without `end` there is no `done` either. */
  | { readonly kind: 'missing'; readonly part: FramePart }
  /** Every multibyte character in two writes. */
  | { readonly kind: 'split-utf8' }
  /** The body, or one event of a stream, is cut off JSON. */
  | { readonly kind: 'invalid-json' }
  /** The body, or one event of a stream, is JSON of other types than the format has. */
  | { readonly kind: 'wrong-schema' }
  /** Text of so many MB (10^6 bytes) and more in a reply that is otherwise right. */
  | { readonly kind: 'huge'; readonly megabytes: number }
  /** A web page with status 200. */
  | { readonly kind: 'html' }
  /** 307 to a path that answers 307 to itself. */
  | { readonly kind: 'redirect-loop' };

export interface StatusFault {
  readonly kind: 'status';
  readonly status: FaultStatus;
  readonly retryAfter?: RetryAfter;
  /** What lies behind the status where the provider says so with words of their own. */
  readonly reason?: FaultReason;
  /** The body is a gateway's web page instead of the provider's JSON. */
  readonly html?: boolean;
}

export type FaultStatus =
  400 | 401 | 402 | 403 | 404 | 408 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504 | 529;

/**
 * `quota`: nothing left to spend, no matter how long one waits. `context`: the prompt is too long. `no-tools`: the
 * model takes no tools. `bad-key`: Gemini's 400 for a wrong key.
 */
export type FaultReason = 'quota' | 'context' | 'no-tools' | 'bad-key';

/** The header in seconds, as an HTTP date so far ahead, or as any text. */
export type RetryAfter =
  { readonly seconds: number } | { readonly dateInSeconds: number } | { readonly text: string };

/** Value of the `retry-after` header. */
export function renderRetryAfter(retryAfter: RetryAfter): string {
  if ('text' in retryAfter) return retryAfter.text;
  if ('seconds' in retryAfter) return String(retryAfter.seconds);
  return new Date(Date.now() + retryAfter.dateInSeconds * 1000).toUTCString();
}
