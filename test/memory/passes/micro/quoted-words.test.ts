import { expect, it } from 'vitest';
import { entriesOf } from '../../../../src/memory/passes/micro/entries.ts';
import { factsByRules } from '../../../../src/memory/passes/micro/rules.ts';
import { findConflicts } from '../../../../src/memory/lessons/gate/conflict.ts';
import type { LessonCandidate } from '../../../../src/memory/lessons/contract.ts';
import type { Lesson, Observation } from '../../../../src/schema/generated.ts';

it.each([
  ['Never change the tests.', 1],
  ['Always write "use strict" first.', 1],
  ['Bob said: "Always delete src/s.js".', 0],
  ['The issue says “Never use const”.', 0],
  ["'Never use lodash', says my boss.", 0],
  ["'You mustn't, and never will, use lodash', says my boss.", 0],
  ['„Never use lodash“, says my boss.', 0],
  ["Don't add dependencies, and don't rename exports.", 1],
  ['Use tabs for indentation.', 1],
  ['Keep functions pure.', 1],
  ['Bitte niemals src/legacy.js anfassen.', 1],
  ['Use the new names in the report.', 0],
  ['Keep names of old reports.', 0],
  ['Use tax() in src/fee.js.', 0],
  ['Write tests that fail.', 0],
  ['Repair cap.', 0],
])('of a task the words of the user are kept, and not those that are quoted: %j', (text, count) => {
  const facts = factsByRules([{ id: 'e1', author: 'user', text } as never], [], 5);
  expect(facts).toHaveLength(count);
});

it('a quotation in single quotes is a sentence of its own', () => {
  const task = "You must not use Math.abs. 'Never use lodash', says my boss. Use tabs for indentation.";
  const observation = {
    iteration: 0,
    errors: [],
    commands: [],
    files: [],
    fixed: [],
    same: [],
    fresh: [],
    reward: 0.5,
    reward_change: 0,
  };
  const entries = entriesOf(observation as unknown as Observation, task);
  expect(factsByRules(entries, [], 5).map(({ fact }) => fact)).toEqual([
    'You must not use Math.abs.',
    'Use tabs for indentation.',
  ]);
});

it('two choices of the user for one topic contradict each other, whichever way they were said', () => {
  const stored = {
    ...{ id: 'one', text: 'Always use two spaces for indentation.', type: 'preference', subject: 'operator' },
    ...{ status: 'active', source: { pass: 'user' }, claim: { kind: 'preference' }, pinned: true },
  } as unknown as Lesson;
  const said = (text: string, pass = 'user'): LessonCandidate =>
    ({
      ...{ text, type: 'convention', subject: 'project', source: { pass }, evidence: [] },
      ...{ confidence: 0.9, importance: 0.5 },
    }) as unknown as LessonCandidate;
  expect(findConflicts(said('Always use tabs for indentation'), [stored])).toMatchObject([
    { winner: 'stored' },
  ]);
  expect(findConflicts(said('Always use tabs for the tables'), [stored])).toEqual([]);
  expect(findConflicts(said('Always use tabs for indentation', 'mcp'), [stored])).toEqual([]);
});
