import { describe, expect, it } from 'vitest';
import { stuckReason } from '../../../src/agents/llm/stuck-model.ts';

type Steps = Parameters<typeof stuckReason>[0];
type Step = Steps[number];

const invalid: Step = { toolCalls: [{ toolName: 'edit', input: {}, invalid: true }] };
const withoutCalls: Step = { toolCalls: [] };

function call(input: unknown, toolName = 'read'): Step {
  return { toolCalls: [{ toolName, input }] };
}

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step);
}

describe('stuckReason', () => {
  it.each<[string, Steps, string]>([
    [
      'four invalid calls',
      times(4, invalid),
      'The model made 4 invalid tool calls in a row, the last to "edit".',
    ],
    ['four invalid calls after a valid one', [call(1), ...times(4, invalid)], '4 invalid tool calls'],
    [
      'six identical calls',
      times(6, call({ path: 'a' })),
      'The model made the same call 6 times in a row, to "read".',
    ],
    ['six identical calls after another', [call(1), ...times(6, call(2))], 'the same call 6 times'],
  ])('reports %s', (_name, steps, expected) => {
    expect(stuckReason(steps)).toContain(expected);
  });

  it.each<[string, Steps]>([
    ['no steps', []],
    ['three invalid calls', times(3, invalid)],
    ['a valid call between invalid ones', [invalid, invalid, invalid, call(1), invalid]],
    [
      'invalid calls next to a valid one in the same step',
      times(4, { toolCalls: [...invalid.toolCalls, ...call(Math.PI).toolCalls] }),
    ],
    ['five identical calls', times(5, call(1))],
    ['identical calls with another input in between', [...times(3, call(1)), call(2), ...times(3, call(1))]],
    ['the same input for different tools', [...times(3, call(1)), ...times(3, call(1, 'list'))]],
    ['steps without calls', times(9, withoutCalls)],
  ])('accepts %s', (_name, steps) => {
    expect(stuckReason(steps)).toBeUndefined();
  });
});
