import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { renderBudgets, renderClock, type Spent } from '../../../src/report/live/budget-row.ts';

const NOTHING: Spent = {
  elapsedMs: 30_000,
  usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 },
  limits: {},
};
const SOME = { input_tokens: 6870, output_tokens: 59, cached_input_tokens: 0, cost_usd: 0.0123 };

function shown(spent: Partial<Spent>, columns = 100): string {
  return renderBudgets({ ...NOTHING, ...spent }, columns, new Chalk({ level: 0 }));
}

describe('renderBudgets', () => {
  it.each([
    ['nothing, without limits', {}, ''],
    ['something, without limits', { usage: SOME }, 'cost $0.0123   tokens 6.9k'],
    ['what an agent did not tell', { usage: { ...SOME, cost_usd: null } }, 'cost unknown   tokens 6.9k'],
    ['half of the time', { limits: { maxTimeMs: 60_000 } }, 'time ━━━━──── 0:30/1:00'],
    ['nearly nothing', { limits: { maxTimeMs: 36_000_000 } }, 'time ━─────── 0:30/10:00:00'],
    ['nearly all', { limits: { maxTimeMs: 30_100 } }, 'time ━━━━━━━─ 0:30/0:30'],
    ['more than all', { limits: { maxTokens: 5000 }, usage: SOME }, 'cost $0.0123   tokens ━━━━━━━━ 6.9k/5k'],
    ['nothing of the money', { limits: { maxCostUsd: 2 } }, 'cost ──────── $0.0000/$2'],
    [
      'millions',
      { usage: { ...SOME, cost_usd: 12.5, input_tokens: 1_240_000 } },
      'cost $12.50   tokens 1.2M',
    ],
  ])('%s', (_name, spent, text) => {
    expect(shown(spent)).toBe(text);
  });

  it('uses smaller bars or none in narrow rows', () => {
    const limits = { maxTimeMs: 60_000, maxCostUsd: 2 };
    expect(shown({ limits }, 60)).toBe('time ━━━━──── 0:30/1:00   cost ──────── $0.0000/$2');
    expect(shown({ limits }, 44)).toBe('time ━━── 0:30/1:00   cost ──── $0.0000/$2');
    expect(shown({ limits }, 40)).toBe('time 0:30/1:00   cost $0.0000/$2');
  });

  it.each([
    [0, '0:00'],
    [72_000, '1:12'],
    [3_725_000, '1:02:05'],
  ])('%i ms is %s', (ms, clock) => {
    expect(renderClock(ms)).toBe(clock);
  });
});
