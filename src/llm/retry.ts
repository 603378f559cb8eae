const FIRST_DELAY_MS = 500;

/**
 * Milliseconds to wait before a try (2 is the first retry): what the server asked for, else twice as long each
 * time; never more than `maxDelayMs`.
 */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, maxDelayMs: number): number {
  return Math.round(Math.min(maxDelayMs, retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 2)));
}
