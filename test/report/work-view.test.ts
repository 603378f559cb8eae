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

describe('what is shown while a model works', () => {
  it('is nothing in the record, where nothing more is asked for', () => {
    expect(show([said('First '), said('line\nsec'), said('ond'), called], false).lines).toEqual([]);
  });

  it('is every line and action, where it is', () => {
    const action: WorkEvent = { type: 'action', action: { type: 'other', description: 'Looked.' } };
    expect(show([said('One\nTwo'), action, said('Three'), called], true).lines).toEqual([
      'One',
      'Two',
      'Looked.',
      'Three',
    ]);
  });

  it('is every try that failed, and every other model', () => {
    const { lines } = show(
      [
        { type: 'model_retry', model: 'a/b', attempt: 2, delayMs: 1500, reason: 'too many requests' },
        { type: 'model_fallback', from: 'a/b', to: 'c/d', reason: 'gone' },
      ],
      false,
    );
    expect(lines).toEqual([
      'try 2 failed, again in 1.5 s: too many requests',
      'a/b cannot answer, asking c/d: gone',
    ]);
  });

  it('is never obeyed by the terminal', () => {
    const { lines } = show([said('\u001B]0;owned\u0007\u001B[2Jred\n')], true);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });
});
