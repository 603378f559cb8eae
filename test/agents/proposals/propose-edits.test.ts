import { expect, it } from 'vitest';
import type { Reply } from '../../../src/agents/llm/client.ts';
import { proposeEdits } from '../../../src/agents/proposals/propose-edits.ts';
import type { AttemptContext, EditIdeas } from '../../../src/ports/attempt.ts';
import { NO_USAGE } from '../../../src/schema/usage.ts';
import { createRepo } from '../../support/repair-repo.ts';
import { evaluation } from '../../support/scripted.ts';

const GOOD = { file: 'src/cart.js', before: 'sum - line', after: 'sum + line' };

async function ideasOf(reply: Partial<Reply>): Promise<EditIdeas> {
  const root = createRepo({ 'src/cart.js': 'export const add = (sum, line) => sum - line;\n' });
  const context = {
    root,
    task: 'Repair it.',
    reflections: [],
    iteration: 1,
    evaluation: evaluation(0, 1),
    project: { packageDir: '.' },
    signal: new AbortController().signal,
    onWork: () => {},
  } as unknown as AttemptContext;
  const whole: Reply = { ending: 'stopped', detail: '', text: '', steps: 1, usage: NO_USAGE, ...reply };
  const client = { name: 'openai/m', converse: () => Promise.resolve(whole) };
  return await proposeEdits(context, client, root);
}

const answer = (edits: unknown): Partial<Reply> => ({ text: JSON.stringify({ edits }) });

it('drops an edit that cannot be used and keeps the others, with a reason for each', async () => {
  const edits = [{ ...GOOD, before: '' }, { path: 'src/cart.js' }, null, 'sum + line', GOOD];
  const ideas = await ideasOf(answer(edits));
  expect(ideas.edits).toEqual([GOOD]);
  expect(ideas.problem).toBeUndefined();
  const other = 'in another form than the one asked for';
  expect(ideas.unusable).toEqual(['without a text to replace', other, other, other]);
});

it('takes the first 20 edits of a longer answer', async () => {
  const edits = Array.from({ length: 23 }, (_, index) => ({ ...GOOD, after: `sum + ${index}` }));
  const ideas = await ideasOf(answer(edits));
  expect(ideas.edits).toHaveLength(20);
  expect(ideas.unusable).toEqual(Array(3).fill('beyond the first 20'));
});

it.each([
  ['is no JSON', { text: 'Change the sum.' }],
  ['is cut off', { text: '{"edits":[{"file":"src/ca', ending: 'length' }],
  ['holds no list', answer('none')],
] satisfies [string, Partial<Reply>][])(
  'says why nothing was read from an answer that %s',
  async (_what, reply) => {
    const ideas = await ideasOf(reply);
    expect(ideas).toMatchObject({ edits: [], problem: expect.stringMatching(/./) as string });
    expect(ideas.unanswered).toBeUndefined();
  },
);

it.each(['failed', 'budget', 'aborted', 'refused'] as const)(
  'has no answer of a model that %s',
  async (ending) => {
    const ideas = await ideasOf({ ending, detail: 'No.' });
    expect(ideas).toMatchObject({ edits: [], problem: 'No.', unanswered: true });
  },
);
