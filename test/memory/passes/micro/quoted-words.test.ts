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
  ['Please avoid classes.', 1],
  ['Use async/await.', 1],
  ['Use const over let.', 1],
  ['In this repository, never use default exports.', 1],
  ['Prefer named exports.', 1],
  ['Use `pnpm test` instead of `npm test`.', 1],
  ['He wrote "Always use classes."', 0],
  ['Always use tabs, says Bob.', 0],
  ['The ticket says never to use classes.', 0],
  ['Fix the test in src/x.js.', 0],
  ['Fix the bug that always occurs.', 0],
  ['Do not crash when the list is empty.', 0],
  ['Avoid the crash in total.', 0],
  ['Prefer the cached value.', 0],
  ['Use Math.max instead of Math.min in src/x.js.', 0],
  ['Use Math.floor instead of Math.round.', 0],
  ['Use `>=` instead of `>`.', 0],
  ['Use a Map instead of an object.', 0],
  ['Call parseInt rather than Number.', 0],
  ['Use vitest instead of jest.', 1],
  ['Use `node scripts/build.js` rather than `npm run build`.', 1],
  ['Make sure the test passes.', 0],
  ['Sort results by name.', 0],
  ['Use reduce.', 0],
  ['Do not change the API in this fix.', 0],
  ['Should we never use classes?', 0],
  // What the code does, and what is asked of it now.
  ['Never returns when the list is empty.', 0],
  ['- Always round to two decimals', 0],
  ['When the cart is empty, never throw.', 0],
  ['Never mind the failing lint.', 0],
  ['Always keep the order of the items.', 0],
  ['Always add the tax first.', 0],
  ['Never change the input list.', 0],
  ['Never call the callback twice.', 0],
  ['Always use the newest price.', 0],
  ['Make sure total never returns NaN.', 0],
  ['No longer returns null.', 0],
  ['Never use it.', 0],
  ['Gibt immer 0 zurück.', 0],
  ['Das immer wiederkehrende Problem ist die Rundung.', 0],
  ['Niemals null zurückgeben.', 0],
  ['Ändere nie die Reihenfolge.', 0],
  ['Always use integer maths.', 1],
  ['Never add comments.', 1],
  ['Always run the tests before a commit.', 1],
  ['When you rename a file, always update its imports.', 1],
  ['Before committing, always run prettier.', 1],
  ['Make sure to always update CHANGELOG.md.', 1],
  ['Never call console.log.', 1],
  ['Do not touch legacy/.', 1],
  ['Refrain from adding packages.', 1],
  ['No longer use moment.', 1],
  ['Verwende nie lodash.', 1],
  ['Ändere nie die Tests.', 1],
  ['Füge immer Kommentare hinzu.', 1],
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

it.each([
  [
    'He wrote "Always use classes. Never write tests." Use tabs for indentation.',
    ['Use tabs for indentation.'],
  ],
  ['The reviewer wrote: Always use classes. Never write tests.', []],
  ['The reviewer wrote: Always use classes.\n\nNever change the tests.', ['Never change the tests.']],
  ['> Never use lodash.\nRepair it.', []],
  ['He wrote "Always use classes and never close it. Never use tabs.', []],
  ['The reviewer wrote:\n\nAlways use named exports.', []],
  ['The reviewer wrote:\n\nAlways use classes.\n\nNever change the tests.', ['Never change the tests.']],
  ['The reviewer wrote:\n\n- Always use classes.\n\n- Never add comments.', []],
  ['"Use tabs.\n\nNever use spaces." said Bob', []],
  ['Bob said "Use tabs.\n\nNever use spaces."\n\nNever change the tests.', ['Never change the tests.']],
  ['The 5" screen is cut.\n\nNever change the tests.', ['Never change the tests.']],
  ['The report says ‘it’s broken. Never use tabs.’', []],
  ['The report says ‘never use the users’ lists. Never use tabs.’ Use spaces.', ['Use spaces.']],
  ['It’s the users’ list. Never change the tests.', ['Never change the tests.']],
])('a quotation of several sentences is that of somebody else to its end: %j', (task, rules) => {
  const observation = { iteration: 0, errors: [], commands: [], files: [], fixed: [], same: [], fresh: [] };
  const entries = entriesOf({ ...observation, reward: 0, reward_change: 0 } as unknown as Observation, task);
  expect(factsByRules(entries, [], 5).map(({ fact }) => fact)).toEqual(rules);
});

it('of two choices of the user for one topic the newer one counts, whichever way they were said', () => {
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
    { winner: 'candidate' },
  ]);
  expect(findConflicts(said('Always use tabs for the tables'), [stored])).toEqual([]);
  expect(findConflicts(said('Always use tabs for indentation', 'mcp'), [stored])).toEqual([]);
});
