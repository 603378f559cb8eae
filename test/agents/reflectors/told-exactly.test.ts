/** Sentences that a reader who checked them by hand found false, cut before the point, or without use. */
import { describe, expect, it } from 'vitest';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import { failureType } from '../../../src/checks/results/failure-type.ts';
import { compareFailures, deltaOf } from '../../../src/schema/compare-failures.ts';
import { failure, inputOf, remembered, type Scenario } from './scenario.ts';

const textOf = (scenario: Scenario): string => reflectByRules(inputOf(scenario)).reflection_text;
const stepOf = (scenario: Scenario): string => reflectByRules(inputOf(scenario)).actionable_insights[0]!;

describe('counts', () => {
  it('are those of the console: each failure of a test with several counts', () => {
    const same = ['a', 'b', 'c'].map((message) => failure({ message, test_id: 'sums', rule: 'sums' }));
    const text = textOf({ before: same });
    expect(text).toContain('Failing as before: 3.');
    const { previous, evaluation } = inputOf({ before: same });
    expect(deltaOf(evaluation, previous).same).toHaveLength(3);
  });
});

describe('a place', () => {
  it('of added code is its first line, not the empty line above it', () => {
    const input = inputOf();
    const patch =
      'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,3 @@\n x\n+\n+const b = 1;\n';
    expect(reflectByRules({ ...input, patch }).reflection_text).toContain(
      'I added `const b = 1;` at src/a.ts:3.',
    );
  });

  it('is not the test file that could not be run, where the report has no line', () => {
    const broken = failure({
      type: 'syntax_error',
      rule: '(file)',
      test_id: 'test.js > (file)',
      message: "SyntaxError: Unexpected token ')'",
      ...{ file: 'test.js', line: undefined },
    });
    const scenario: Scenario = { before: [], after: [broken] };
    expect(textOf(scenario)).toContain('A syntax error of "tests" when test.js runs');
    expect(textOf(scenario)).not.toContain('at test.js');
    expect(stepOf(scenario)).toBe('Check the syntax of src/range.ts, which attempt 1 changed.');
  });

  it('and no test is what an unhandled error has', () => {
    const unhandled = failure({
      type: failureType({ name: 'TypeCheckError', message: "Type 'string' is not assignable." }),
      rule: 'unhandled error',
      message: "TypeCheckError: Type 'string' is not assignable.",
      ...{ file: 'src/utils.ts', line: 775 },
    });
    const text = textOf({ before: [], after: [unhandled] });
    expect(text).toContain('A type error of "tests" at src/utils.ts:775');
    expect(text).not.toContain('the test "unhandled error"');
  });
});

describe('a failed command without places', () => {
  const lint = (message: string) =>
    failure({
      type: 'lint_error',
      check: 'lint',
      message,
      file: undefined,
      line: undefined,
      rule: undefined,
    });

  it('does not have a new failure when its output changes', () => {
    const [before, after] = [[lint('4 problems')], [lint('2 problems')]];
    const text = textOf({ before, after });
    expect(text).toContain('Failing differently: 1.');
    expect(text).not.toMatch(/New:|Fixed:/);
    const { previous, evaluation } = inputOf({ before, after });
    expect(deltaOf(evaluation, previous)).toMatchObject({ fixed: [], new: [] });
    expect(compareFailures(previous, evaluation)).toMatchObject({ fixed: [], fresh: [] });
  });
});

describe('values', () => {
  const reported = (expected: string, received: string): string =>
    textOf({ before: [failure({ test_id: 'a', expected, received })] });

  it('of long objects are the members that differ, whatever their order', () => {
    const members = Array.from({ length: 12 }, (_, at) => `key${at}: ${at}`);
    const expected = `{ ${members.join(', ')}, minutes: 1 }`;
    const received = `{ minutes: 0, ${[...members].reverse().join(', ')} }`;
    const text = reported(expected, received);
    expect(text).toContain('expected … minutes: 1 … but received … minutes: 0 ….');
    expect(text).not.toContain('differs from character');
  });

  it('of an object differ in no character, because its keys may stand in another order', () => {
    const text = reported(`"{ b: 'xyz', B: 'xyz', _: [] }"`, `"{ _: [], b: false, B: 'xyz' }"`);
    expect(text).not.toContain('differs from character');
  });

  it('of long texts are shown from their first difference on', () => {
    const start = `'${'| A | B | C |'.repeat(9)}`;
    expect(reported(`${start}x'`, `${start}y'`)).toMatch(/expected ….*x' but received ….*y'/);
  });

  it('on several lines are compared as they are shown', () => {
    expect(reported("'one\n   two three four a'", "'one\n   two three four b'")).toContain(
      'differs from character 20 on',
    );
  });
});

describe('an actor', () => {
  it('that is a program says nothing: it ends', () => {
    const trajectory = { actor: 'command', outcome: 'claimed_done' } as const;
    expect(textOf({ edits: {}, trajectory, before: [failure()] })).toContain(
      'I changed no file: the program ended with exit code 0.',
    );
  });

  it('that searches is not told to edit before its time is up', () => {
    const trajectory = { actor: 'search', outcome: 'timed_out', message: 'Stopped.' } as const;
    const scenario: Scenario = { edits: {}, trajectory, before: [failure()] };
    expect(textOf(scenario)).toContain('the actor was stopped at a time limit');
    expect(stepOf(scenario)).toMatch(/^Search on where this attempt stopped/);
  });
});

describe('the step', () => {
  it('comes back last where it was given last, once all were given', () => {
    const lead = failure({ test_id: 'a', expected: "'four'", received: "'three'" });
    const steps: string[] = [];
    let window: Scenario['window'] = [];
    for (const iteration of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const input = inputOf({ iteration, before: [lead], window });
      const reflection = reflectByRules(input);
      window = [...window, remembered(input, reflection)];
      steps.push(reflection.actionable_insights[0]!);
    }
    expect(steps.some((step) => step.includes("the place that makes `'three'`"))).toBe(true);
    for (const [at, step] of steps.entries()) if (at > 1) expect(step).not.toBe(steps[at - 1]);
  });

  it.each([
    ['a test', failure({ test_id: 'a', expected: '4', received: '3' }), 2],
    ['an error of types', failure({ type: 'type_error', rule: 'TS2322', file: 'src/range.ts', line: 12 }), 3],
  ])('is another one in each attempt until all were given, for %s', (_, lead, count) => {
    const steps: string[] = [];
    let window: Scenario['window'] = [];
    for (const iteration of [1, 2, 3, 4]) {
      const input = inputOf({ iteration, before: [lead], window });
      const reflection = reflectByRules(input);
      window = [...window, remembered(input, reflection)];
      steps.push(reflection.actionable_insights[0]!);
    }
    expect(new Set(steps.slice(0, count)).size).toBe(count);
  });
});
