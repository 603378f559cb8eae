import { describe, expect, it } from 'vitest';
import { endsWhenStopped } from '../../src/agents/ends-when-stopped.ts';
import { createFixersFirst } from '../../src/agents/fixers-first.ts';
import type { WorkEvent } from '../../src/events.ts';
import type { Actor } from '../../src/ports.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import { evaluation, failure, trajectory } from '../support/scripted.ts';

interface Stopped {
  readonly context: AttemptContext;
  readonly stop: AbortController;
  readonly kill: AbortController;
  readonly events: WorkEvent[];
}

/** The context of an attempt at a failing test, with the two ways to stop it. */
function attemptToStop(): Stopped {
  const [stop, kill] = [new AbortController(), new AbortController()];
  const events: WorkEvent[] = [];
  const context = {
    loopId: 'ralph-a-20260101-abcdef',
    evaluation: evaluation(1, 2, { diagnostics: [failure(1)] }),
    project: { checks: [] },
    signal: kill.signal,
    stop: stop.signal,
    onProgress: () => undefined,
    onWork: (event: WorkEvent) => void events.push(event),
  } as unknown as AttemptContext;
  return { context, stop, kill, events };
}

/** Ends only when its signal aborts. */
const waiting = (begin: () => void): Actor => ({
  name: 'search',
  async attempt({ signal }) {
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    begin();
    await ended;
    return trajectory('timed_out');
  },
});

describe('an actor whose attempts can be made again', () => {
  it('is cut off when the user asks to stop, without a result', async () => {
    const { context, stop } = attemptToStop();
    const actor = endsWhenStopped(waiting(() => stop.abort()));
    await expect(actor.attempt(context)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('begins no attempt after that', async () => {
    const { context, stop } = attemptToStop();
    stop.abort();
    let begun = false;
    const actor = endsWhenStopped(waiting(() => (begun = true)));
    await expect(actor.attempt(context)).rejects.toMatchObject({ code: 'aborted' });
    expect(begun).toBe(false);
  });

  it('keeps its result when its time is over', async () => {
    const { context, kill } = attemptToStop();
    const actor = endsWhenStopped(waiting(() => kill.abort()));
    expect(await actor.attempt(context)).toMatchObject({ outcome: 'timed_out' });
  });
});

describe('an agent behind the fixers', () => {
  it('is not begun when the fixers are cut off, and nobody is told that these failed', async () => {
    const { context, stop, events } = attemptToStop();
    const agent: Actor = { name: 'acp', attempt: () => Promise.reject(new Error('begun')) };
    const actor = createFixersFirst(
      waiting(() => stop.abort()),
      agent,
    );
    await expect(actor.attempt(context)).rejects.toMatchObject({ code: 'aborted' });
    expect(events).toEqual([]);
  });

  it('is told only to end at once, not to stop', async () => {
    const { context, stop } = attemptToStop();
    const agent: Actor = {
      name: 'acp',
      attempt({ signal }) {
        stop.abort();
        return Promise.resolve(trajectory(signal.aborted ? 'failed' : 'claimed_done'));
      },
    };
    const fixers: Actor = { name: 'fixers', attempt: () => Promise.resolve(trajectory('gave_up')) };
    expect(await createFixersFirst(fixers, agent).attempt(context)).toMatchObject({
      outcome: 'claimed_done',
    });
  });
});
