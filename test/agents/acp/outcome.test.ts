import { describe, expect, it } from 'vitest';
import { outcomeOf, type Ended } from '../../../src/agents/acp/outcome.ts';

const ENDED: Ended = {
  agent: 'agent',
  ending: { kind: 'broken', phase: 'prompt' },
  stopCause: undefined,
  exit: { exitCode: 9, signal: null },
  stderr: 'panic: out of luck',
  lastMessage: '',
  hasActed: false,
  durationMs: 15_000,
  timeoutMs: 15_000,
  silenceMs: 30_000,
};

describe('an agent that fails at work', () => {
  it.each([
    ['dies', { kind: 'broken', phase: 'prompt' }, /exit code 9[^]*out of luck/],
    ['answers with an error', { kind: 'refused', phase: 'prompt', message: 'overloaded' }, /overloaded/],
  ] as const)('ends the loop if it %s before it did anything, and only then', (_how, ending, words) => {
    const { fatal } = outcomeOf({ ...ENDED, ending });
    expect(fatal?.message).toMatch(words);
    expect(outcomeOf({ ...ENDED, ending, hasActed: true })).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(words) as string,
      fatal: undefined,
    });
    expect(outcomeOf({ ...ENDED, ending, lastMessage: 'I begin.' }).fatal).toBeUndefined();
  });
});

describe('an agent that does not begin', () => {
  const ending = { kind: 'broken', phase: 'initialize' } as const;

  it('says after how long, and which option gives it more time', () => {
    const ended = { ...ENDED, ending, stopCause: 'time', timeoutOption: '--agent-timeout' } as const;
    expect(outcomeOf(ended).fatal?.message).toMatch(
      /^agent did not answer the protocol's first message within 15 s \(--agent-timeout\)\.\n/,
    );
    expect(outcomeOf({ ...ended, stopCause: 'silence' }).message).toMatch(/within 15 s\.\n/);
  });

  it('shows what it prints instead of messages apart from its stderr', () => {
    const { message } = outcomeOf({ ...ENDED, ending, stopCause: 'silence', stderr: '', otherOutput: '%%%' });
    expect(message).toMatch(/\nIts output is no message of the protocol: %%%$/);
    expect(message).not.toContain('stderr');
  });
});
