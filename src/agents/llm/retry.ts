const FIRST_DELAY_MS = 500;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** For example `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d/;

/**
 * Milliseconds to wait before try number `attempt` (2 is the first retry): the server's `retryAfterMs` if it sent one,
 * else exponential backoff from 500 ms; at most `maxDelayMs`.
 */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, maxDelayMs: number): number {
  return Math.round(Math.min(maxDelayMs, retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 2)));
}

/** The delay in milliseconds from the header `retry-after-ms`, else `retry-after` (seconds or a date, RFC 9110 §10.2.3). */
export function parseRetryAfter(
  headers: Readonly<Record<string, string>>,
  nowMs = Date.now(),
): number | undefined {
  const exact = numberOf(headers['retry-after-ms']);
  if (exact !== undefined && exact >= 0) return exact;
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds >= 0 ? seconds * 1000 : undefined;
  const ms = HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN;
  return ms >= 0 ? ms : undefined;
}

function numberOf(text = ''): number | undefined {
  return NUMBER.test(text.trim()) ? Number(text) : undefined;
}
