import { describe, expect, it } from 'vitest';
import { stopReason } from '../../../src/platform/text/stop-reason.ts';

describe('the reason of a stop', () => {
  it('is "out of time" for a timeout, also through a combined signal', async () => {
    const clock = AbortSignal.timeout(1);
    const both = AbortSignal.any([new AbortController().signal, clock]);
    await new Promise((resolve) => both.addEventListener('abort', resolve));
    expect(stopReason(both)).toBe('out of time');
  });

  it('is "interrupted" otherwise', () => {
    expect(stopReason(AbortSignal.abort())).toBe('interrupted');
    expect(stopReason(AbortSignal.abort(null))).toBe('interrupted');
  });
});
