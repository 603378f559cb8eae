import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { redactedEvents } from '../../src/report/redacted-events.ts';
import { REDACTED } from '../../src/platform/redaction/redact.ts';

const KEY = `ghp_${'a1B2'.repeat(9)}`;
const says = (text: string, model = 'm'): RunEvent => ({ type: 'model_text', model, text });

function told(events: readonly RunEvent[]): RunEvent[] {
  const seen: RunEvent[] = [];
  const emit = redactedEvents((event) => seen.push(event));
  events.forEach(emit);
  return seen;
}

describe('redactedEvents', () => {
  it('redacts secrets anywhere in an event', () => {
    const action = {
      type: 'command_execution',
      description: `Ran ${KEY}.`,
      command: `x --token ${KEY}`,
    } as const;
    expect(
      told([
        { type: 'action', action },
        { type: 'warning', text: KEY },
      ]),
    ).toEqual([
      {
        type: 'action',
        action: { ...action, description: `Ran ${REDACTED}.`, command: `x --token ${REDACTED}` },
      },
      { type: 'warning', text: REDACTED },
    ]);
  });

  it('redacts a secret that is split over two chunks, and keeps all other text in order', () => {
    const progress = { type: 'progress', text: 'asking' } as const;
    expect(told([says(`It is ${KEY.slice(0, 9)}`), says(`${KEY.slice(9)} I think`), progress])).toEqual([
      says('It is '),
      says(`${REDACTED} I `),
      says('think'),
      progress,
    ]);
  });

  it('keeps the texts of two models apart', () => {
    expect(told([says('one'), says('two', 'n'), { type: 'progress', text: '' }])).toEqual([
      says('one'),
      says('two', 'n'),
      { type: 'progress', text: '' },
    ]);
  });
});
