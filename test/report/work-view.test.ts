import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../src/events.ts';
import { WorkView } from '../../src/report/work-view.ts';

const said = (text: string): WorkEvent => ({ type: 'model_text', model: 'a/b', text });
const called: WorkEvent = {
  type: 'model_called',
  model: 'a/b',
  usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, cost_usd: 0 },
  durationMs: 1,
};

function show(events: readonly WorkEvent[], verbose: boolean): { lines: string[] } {
  const lines: string[] = [];
  const view = new WorkView({
    chalk: new Chalk({ level: 0 }),
    verbose,
    print: (text) => lines.push(text),
  });
  for (const event of events) if (event.type !== 'warning') view.on(event);
  return { lines };
}

describe('WorkView', () => {
  it('prints no model text without --verbose', () => {
    expect(show([said('First '), said('line\nsec'), said('ond'), called], false).lines).toEqual([]);
  });

  it('prints every line and action with --verbose', () => {
    const action: WorkEvent = { type: 'action', action: { type: 'other', description: 'Looked.' } };
    expect(show([said('One\nTwo'), action, said('Three'), called], true).lines).toEqual([
      'One',
      'Two',
      'Looked.',
      'Three',
    ]);
  });

  it('prints every retry and every fallback', () => {
    const { lines } = show(
      [
        { type: 'model_retry', model: 'a/b', attempt: 2, delayMs: 1500, reason: 'too many requests' },
        { type: 'model_fallback', from: 'a/b', to: 'c/d', reason: 'gone' },
      ],
      false,
    );
    expect(lines).toEqual([
      'call 2 failed, retrying in 1.5 s: too many requests',
      'a/b failed, falling back to c/d: gone',
    ]);
  });

  it('prints no control characters', () => {
    const { lines } = show([said('\u001B]0;owned\u0007\u001B[2Jred\n')], true);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });
});
