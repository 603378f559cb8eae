import { expect, it } from 'vitest';
import { LeftOutIdeas } from '../../../src/repair/strategy/left-out-ideas.ts';

const edits = ['a', 'b', 'c'].map((before) => ({ file: 'a.js', before, after: 'x' }));

it('says how many edits could not be tried, and why', () => {
  const leftOut = new LeftOutIdeas();
  const note = leftOut.startSearch();
  note(edits[0]!, 'without a change');
  note(edits[1]!, 'without a change');
  const unusable = ['without a text to replace'];
  expect(leftOut.describe({ edits, unusable })).toBe(
    'Of 4 edits that the model proposed, 3 could not be tried: 1 without a text to replace, 2 without a change.',
  );
});

it('does not count an edit that one of several searches could try', () => {
  const leftOut = new LeftOutIdeas();
  leftOut.startSearch()(edits[0]!, 'in no source that the failing tests reach');
  leftOut.startSearch();
  expect(leftOut.describe({ edits, unusable: [] })).toBeUndefined();
});

it('says that the model gave no answer, where it proposed nothing', () => {
  const problem = 'openai/m: the key is missing or was rejected.';
  expect(new LeftOutIdeas().describe({ edits: [], unusable: [], problem, unanswered: true })).toBe(
    'The model gave no answer: openai/m: the key is missing or was rejected.',
  );
});

it('says why nothing could be read from an answer', () => {
  const problem = 'The reply is no JSON.';
  expect(new LeftOutIdeas().describe({ edits: [], unusable: [], problem })).toBe(
    'No edit that the model proposed could be tried: The reply is no JSON.',
  );
});
