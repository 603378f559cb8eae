import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holds } from '../../../../src/agents/reflectors/claims/checks.ts';
import type { ChangedLines, Claim } from '../../../../src/agents/reflectors/claims/claim.ts';
import { reflectByRules } from '../../../../src/agents/reflectors/rules.ts';
import type { LoopContext, ReflectionInput } from '../../../../src/ports/reflection.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { failure, inputOf, remembered, type Scenario } from '../scenario.ts';
import { CASES } from '../scenarios.ts';

const test1 = failure({ test_id: 'a', expected: '4', received: '3', rule: 'cart > sums' });
const before1 = failure({ test_id: 'a', expected: '4', received: '9', rule: 'cart > sums' });
const typeError = failure({
  type: 'type_error',
  check: 'types',
  rule: 'TS2322',
  file: 'src/range.ts',
  line: 12,
});
const lintError = failure({
  type: 'lint_error',
  check: 'lint',
  rule: 'eqeqeq',
  file: 'src/range.ts',
  line: 3,
});

/** The input of the second attempt of a loop, with what is known about the first. */
function inLoop(scenario: Scenario, loop: Partial<LoopContext>): ReflectionInput {
  const input = inputOf({ iteration: 2, ...scenario });
  const next = { from: 2, evaluation: input.evaluation };
  return { ...input, loop: { root: '/none', reflections: [], sameTree: [], sameChange: [], next, ...loop } };
}

function withoutKind({ file, line, before, after }: ChangedLines): ChangedLines {
  return { file, line, before, after };
}

describe('holds', () => {
  const input = inLoop({ before: [before1], after: [test1, typeError] }, { sameChange: [1] });
  const line = {
    kind: 'line_changed',
    file: 'src/range.ts',
    line: 12,
    before: 'while (i < end) {',
    after: 'while (i <= end - 1) {',
  } as const;
  const [received, typed] = input.evaluation.diagnostics;
  const pairs: [string, Claim, Claim][] = [
    ['the changed line', line, { ...line, line: 13 }],
    ['the changed code', line, { ...line, after: 'while (true) {' }],
    [
      'the changed lines',
      { kind: 'lines_changed', edits: [withoutKind(line)] },
      { kind: 'lines_changed', edits: [withoutKind(line), { ...withoutKind(line), line: 20 }] },
    ],
    [
      'the changed files',
      { kind: 'files_changed', files: ['src/range.ts'] },
      { kind: 'files_changed', files: ['src/cart.ts'] },
    ],
    [
      'the same change as in an attempt',
      { kind: 'same_change', attempt: 1 },
      { kind: 'same_change', attempt: 2 },
    ],
    ['the reward', { kind: 'reward', before: 0.5, after: 0.5 }, { kind: 'reward', before: 0.5, after: 1 }],
    [
      'failures that are new',
      { kind: 'fresh', failures: [typed!] },
      { kind: 'fresh', failures: [received!] },
    ],
    [
      'failures with another value',
      { kind: 'moved', failures: [received!] },
      { kind: 'same', failures: [received!] },
    ],
    [
      'a failure on an edited line',
      { kind: 'on_edited_line', failure: typed! },
      { kind: 'on_edited_line', failure: received! },
    ],
    [
      'the value before',
      { kind: 'received_before', failure: received!, before: '9' },
      { kind: 'received_before', failure: received!, before: '3' },
    ],
    [
      'a reported failure',
      { kind: 'reported', failure: received! },
      { kind: 'reported', failure: { ...received!, received: '7' } },
    ],
    [
      'a check that failed',
      { kind: 'check_failed', check: 'tests', detail: '3 of 4 tests passed.' },
      { kind: 'check_failed', check: 'lint', detail: '' },
    ],
  ];
  it('accepts values of a traced run of the same test only', () => {
    const seen = {
      file: 'src/range.ts',
      line: 12,
      code: 'i',
      count: 1,
      order: 1,
      isConstant: true,
      isChanged: true,
    };
    const value = { ...seen, first: '1', last: '1' };
    const traced = { ...input, trace: { testId: 'a', ran: [], missed: [], unknown: [], values: [value] } };
    const claim = { kind: 'values_seen', failure: received!, values: [value], isFirst: true } as const;
    expect(holds(claim, traced)).toBe(true);
    expect(holds({ ...claim, values: [{ ...value, first: '2' }] }, traced)).toBe(false);
    expect(holds({ ...claim, failure: typed! }, traced)).toBe(false);
    expect(holds(claim, input)).toBe(false);
  });

  it.each(pairs)('accepts %s, and no other', (_, claim, wrong) => {
    expect([holds(claim, input), holds(wrong, input)]).toEqual([true, false]);
  });

  it('accepts that the actor ended in a way only if it did', () => {
    const idle = inputOf({ edits: {}, actions: [], trajectory: { outcome: 'timed_out' } });
    expect(holds({ kind: 'timed_out' }, idle)).toBe(true);
    expect(holds({ kind: 'gave_up' }, idle)).toBe(false);
    expect(holds({ kind: 'timed_out' }, inputOf({ trajectory: { outcome: 'timed_out' } }))).toBe(true);
    expect(holds({ kind: 'gave_up' }, inputOf({ trajectory: { outcome: 'gave_up' } }))).toBe(false);
  });
});

describe('a reflection of the rules', () => {
  it.each(CASES)('has at most six sentences and one step: $title', (scenario) => {
    const { reflection_text: text, actionable_insights: steps } = reflectByRules(inputOf(scenario));
    const quoted = text.replace(/"[^"]*"|`[^`]*`|\([^)]*\)/g, '');
    expect(quoted.split(/(?<=[a-z0-9]\.) (?=[A-Z])/).length).toBeLessThanOrEqual(6);
    expect(steps).toHaveLength(1);
  });

  it.each(CASES)('guesses no cause: $title', (scenario) => {
    const { reflection_text: text, credit_assignment: credit } = reflectByRules(inputOf(scenario));
    expect(`${text} ${credit.root_cause}`).not.toMatch(
      /does not touch|not handled|typical of|bounds of the loop|I assumed|had no effect|within the first steps/,
    );
  });

  it('does not count a type error and a lint error as two type errors', () => {
    const { reflection_text: text } = reflectByRules(inputOf({ before: [typeError, lintError] }));
    expect(text).toContain('Failing as before: 2.\nTS2322 at src/range.ts:12 (');
    expect(text).not.toMatch(/2 type errors/);
  });

  it('does not blame an accepted edit that improved', () => {
    const improved = inputOf({ before: [test1, before1], after: [before1], rewards: [0.5, 0.75] });
    const other = failure({ rule: 'cart > rounds', test_id: 'b' });
    const fixed = inputOf({ before: [test1, other], after: [other], rewards: [0.5, 0.75] });
    for (const input of [improved, fixed])
      expect(reflectByRules(input).credit_assignment.failing_action_indices).toEqual([]);
    const worse = inputOf({ before: [other], after: [other, test1], rewards: [0.5, 0.25] });
    expect(reflectByRules(worse).credit_assignment.failing_action_indices).toEqual([0]);
  });

  it('does not say that a reward rose which stayed, and shows two changes as two', () => {
    const fixed = inputOf({
      before: [typeError, lintError],
      after: [lintError],
      checks: [{ name: 'types' }, { name: 'lint' }],
    });
    expect(reflectByRules(fixed).causal_reasoning).toBe(
      'No action is blamed: failures were fixed, and none is new.',
    );
    const two = fixed.patch
      .replace('@@ -10,4 +10,4 @@', '@@ -10,5 +10,4 @@')
      .replace(' after 1', ' after 1\n-last');
    expect(reflectByRules({ ...fixed, patch: two }).reflection_text).toContain(
      'I changed `while (i < end) {` to `while (i <= end - 1) {` at src/range.ts:12 and I removed `last` at src/range.ts:14.',
    );
  });

  it('names an attempt that made the same change', () => {
    const { reflection_text: text } = reflectByRules(inLoop({}, { sameChange: [1], sameTree: [1] }));
    expect(text).toContain('the same change as in attempt 1');
    expect(reflectByRules(inLoop({}, {})).reflection_text).not.toContain('the same change');
  });

  it('tells that its edit was not kept, and advises on the tree that the next attempt has', () => {
    const start = failure({ type: 'type_error', check: 'types', rule: 'TS2322', file: 'src/a.ts', line: 4 });
    const own = failure({ type: 'type_error', check: 'types', rule: 'TS2352', file: 'src/a.ts', line: 4 });
    const given = inLoop({ before: [start], after: [own], rewards: [0.5, 0.5] }, {});
    const back = { ...given, loop: { ...given.loop!, next: { from: 0, evaluation: given.previous } } };
    const { reflection_text: text, actionable_insights: steps } = reflectByRules(back);
    expect(text).toContain(
      'This edit was not kept: the tree goes back to the original one; the failure to work on there: TS2322 at src/a.ts:4',
    );
    expect(steps[0]).toContain('TS2322 at src/a.ts:4');
    expect(steps[0]).not.toContain('TS2352');
    expect(reflectByRules(given).actionable_insights[0]).toContain('TS2352');
  });

  it('escalates by the stored reflections, whatever the window holds', () => {
    const stored = [1, 2, 3].map((iteration) => {
      const input = inputOf({ iteration, before: [test1] });
      return remembered(input, reflectByRules(input));
    });
    const steps = [0, 1, 2, 3].map((count) => {
      const given = inLoop(
        { iteration: count + 1, before: [test1] },
        { reflections: stored.slice(0, count) },
      );
      return reflectByRules({ ...given, window: [] }).actionable_insights[0];
    });
    expect(steps[0]).toBeDefined();
    expect(steps.slice(1)).not.toContain(steps[0]);
  });

  it('quotes the line to print, and the function that a test calls', () => {
    const root = temporaryFolder();
    for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
    writeFileSync(
      join(root, 'src/pages.js'),
      '\nexport function pageCount(items, size) {\n  return items / size;\n}\n',
    );
    writeFileSync(
      join(root, 'test/pages.test.js'),
      "import { pageCount } from '../src/pages.js';\n\nassert.equal(pageCount(21, 10), 3);\n",
    );
    const called = failure({ file: 'test/pages.test.js', line: 3, expected: '3', received: '2.1' });
    const framed = { ...called, frames: [{ file: 'src/pages.js', line: 3, function: 'pageCount' }] };
    const step = (one: typeof called): string =>
      reflectByRules(inLoop({ before: [one] }, { root })).actionable_insights[0]!;
    expect(step(called)).toContain('Print the arguments and the result of `pageCount` in src/pages.js:2');
    expect(step(framed)).toContain('`return items / size;` at `pageCount` in src/pages.js:3');
  });
});
