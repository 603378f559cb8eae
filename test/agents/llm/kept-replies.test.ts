import { expect, it } from 'vitest';
import { PlainReplyError, plainReplyIn } from '../../../src/agents/llm/kept-replies.ts';

/** The error as the cause of so many others. */
function wrapped(error: unknown, times: number): unknown {
  return times === 0 ? error : new Error('outer', { cause: wrapped(error, times - 1) });
}

it.each([0, 1, 5])('is found below %i errors', (times) => {
  const plain = new PlainReplyError(new Response('{}'));
  expect(plainReplyIn(wrapped(plain, times))).toBe(plain);
});

it('is not looked for without end', () => {
  const circular = new Error('a');
  circular.cause = new Error('b', { cause: circular });
  expect(plainReplyIn(circular)).toBeUndefined();
  expect(plainReplyIn(undefined)).toBeUndefined();
});
