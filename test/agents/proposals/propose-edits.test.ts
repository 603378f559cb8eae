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

const LENGTH = 'The reply was cut off at the output limit (see --max-output-tokens).';
const MORE = { ...GOOD, after: 'sum + [line, "}"].length' };

it.each([
  ['within an edit', (text: string) => text.slice(0, -20), [GOOD], 1],
  ['behind a comma', (text: string) => text.slice(0, text.indexOf('},') + 2), [GOOD], 1],
  ['behind an edit', (text: string) => text.slice(0, -2), [GOOD, MORE], 0],
  ['behind the list', (text: string) => text.slice(0, -1), [GOOD, MORE], 0],
])('keeps the whole edits of an answer that is cut off %s', async (_where, cut, edits, unusable) => {
  const text = `Here it is:\n\`\`\`json\n${cut(JSON.stringify({ reason: 'x', edits: [GOOD, MORE] }))}`;
  const ideas = await ideasOf({ text, ending: 'length', detail: LENGTH });
  expect(ideas.problem).toBeUndefined();
  expect(ideas.edits).toEqual(edits);
  expect(ideas.unusable).toEqual(
    Array(unusable).fill('cut off at the output limit (see --max-output-tokens)'),
  );
});

it('keeps the whole edits of an answer that lacks its end, and names no limit then', async () => {
  const { text } = answer([GOOD, MORE]);
  const ideas = await ideasOf({ text: text!.slice(0, -20) });
  expect(ideas).toMatchObject({ edits: [GOOD], unusable: ['that cannot be read'] });
});

it.each([
  ['the limit', { ending: 'length', detail: LENGTH }, LENGTH],
  ['the missing brace', {}, /a brace or a quote is missing/],
] satisfies [string, Partial<Reply>, string | RegExp][])(
  'names %s if no edit was whole',
  async (_what, reply, problem) => {
    const ideas = await ideasOf({ text: '{"edits":[{"file":"src/cart.js","bef', ...reply });
    expect(ideas.edits).toEqual([]);
    expect(ideas.problem).toMatch(problem);
  },
);

it.each(['failed', 'budget', 'aborted', 'refused'] as const)(
  'has no answer of a model that %s',
  async (ending) => {
    const ideas = await ideasOf({ ending, detail: 'No.' });
    expect(ideas).toMatchObject({ edits: [], problem: 'No.', unanswered: true });
  },
);
