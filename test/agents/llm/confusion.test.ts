import { describe, expect, it } from 'vitest';
import { confusionIn } from '../../../src/agents/llm/confusion.ts';

type Steps = Parameters<typeof confusionIn>[0];
type Step = Steps[number];

const wrong: Step = { toolCalls: [{ toolName: 'edit', input: {}, invalid: true }] };
const talk: Step = { toolCalls: [] };

function call(input: unknown, toolName = 'read'): Step {
  return { toolCalls: [{ toolName, input }] };
}

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step);
}

describe('a model is confused', () => {
  it.each<[string, Steps, string]>([
    [
      'by four calls that no tool takes',
      times(4, wrong),
      'The model made 4 calls in a row that no tool can take, the last to "edit".',
    ],
    ['by them after calls that were right', [call(1), ...times(4, wrong)], 'no tool can take'],
    [
      'by six calls that are the same',
      times(6, call({ path: 'a' })),
      'The model made the same call 6 times in a row, to "read".',
    ],
    ['by them after others', [call(1), ...times(6, call(2))], 'the same call 6 times'],
  ])('%s', (_name, steps, told) => {
    expect(confusionIn(steps)).toContain(told);
  });

  it.each<[string, Steps]>([
    ['nothing', []],
    ['three calls that no tool takes', times(3, wrong)],
    ['a right call among wrong ones', [wrong, wrong, wrong, call(1), wrong]],
    [
      'wrong calls beside a right one',
      times(4, { toolCalls: [...wrong.toolCalls, ...call(Math.PI).toolCalls] }),
    ],
    ['five calls that are the same', times(5, call(1))],
    ['the same call with another input in between', [...times(3, call(1)), call(2), ...times(3, call(1))]],
    ['the same input for other tools', [...times(3, call(1)), ...times(3, call(1, 'list'))]],
    ['words without calls', times(9, talk)],
  ])('but not by %s', (_name, steps) => {
    expect(confusionIn(steps)).toBeUndefined();
  });
});
